package io.tributary.bench.made;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.source.MadeSource;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** A run of a standalone node in an empty folder, until its durable binlog contains every transaction of a generated source. */
final class MadeRun implements AutoCloseable {
    private final MadeSource source;
    private final Path folder;
    private final NodeProcess node;
    private long peakPayload;
    private long peakSpilled;
    private long beganMicros;

    /**
     * @param folder created for its files and deleted afterwards
     * @param keys further keys of the configuration
     * @param environment such as TRIBUTARY_HEAP
     */
    MadeRun(MadeSource source, Path folder, Map<String, String> keys, Map<String, String> environment)
            throws IOException {
        this.source = source;
        this.folder = folder;
        Folders.delete(folder);
        Files.createDirectories(folder);
        NodeConfig config = config();
        keys.forEach(config::set);
        this.node = new NodeProcess(
                NodeProcess.projectHome(), folder.resolve("node.properties"), config, folder.resolve("node.log"));
        environment.forEach(node::with);
    }

    private NodeConfig config() {
        MysqlUser user = MysqlUser.tributary();
        NodeConfig config = new NodeConfig()
                .set("server.id", "4711")
                .set("binlog.directory", folder.resolve("binlog").toString())
                .set("store.directory", folder.resolve("store").toString())
                .set("serve.listen", "127.0.0.1:" + Ports.free())
                .set("serve.tls.enabled", "false") // readers are measured without TLS
                .set("serve.user", "reader")
                .set("serve.password", "reader-secret")
                .set("admin.listen", "127.0.0.1:" + Ports.free());
        for (int shard = 0; shard < source.size(); shard++) {
            String prefix = "shard.s" + (shard + 1) + ".";
            config.set(prefix + "host", "127.0.0.1")
                    .set(prefix + "port", Integer.toString(source.port(shard)))
                    .set(prefix + "user", user.name())
                    .set(prefix + "password", user.password());
        }
        return config;
    }

    NodeProcess node() {
        return node;
    }

    Path binlogs() {
        return folder.resolve("binlog");
    }

    /**
     * Starts the node and waits until all transactions are in its binlog.
     *
     * @param poll called repeatedly meanwhile
     * @return seconds since the first read
     */
    double run(Duration limit, Consumer<NodeProcess> poll) {
        node.launch();
        for (int shard = 0; shard < source.size(); shard++) {
            int number = shard;
            await(limit, "shard " + shard + " to be read to its end", poll, () -> source.lastNumber(number) > 0);
        }
        for (int shard = 0; shard < source.size(); shard++) {
            long last = source.lastNumber(shard);
            String fact = "frontier.s" + (shard + 1);
            await(
                    limit,
                    "the node to write all of " + fact,
                    poll,
                    () -> node.fact(fact)
                            .map(GtidSet::parse)
                            .filter(set -> set.sids().stream().anyMatch(sid -> set.last(sid) >= last))
                            .isPresent());
        }
        return (Clock.SYSTEM.epochMicros() - beganMicros) / 1e6;
    }

    private void await(Duration limit, String what, Consumer<NodeProcess> poll, Await.Condition condition) {
        Await.until(() -> what + "; log of the node:\n" + node.lastLines(), limit, () -> {
            if (!node.process().isAlive()) {
                throw new IllegalStateException("the node ended: " + node.lastLines());
            }
            if (beganMicros == 0 && source.sentBytes(0) > 0) {
                beganMicros = Clock.SYSTEM.epochMicros();
            }
            peakPayload = Math.max(peakPayload, (long) node.metric("tributary_store_memory_bytes"));
            peakSpilled = Math.max(peakSpilled, (long) node.metric("tributary_store_spilled_bytes"));
            poll.accept(node);
            return condition.holds();
        });
    }

    /** The peak of the store's bytes in memory. */
    long peakStoreMemory() {
        return peakPayload;
    }

    /** The peak of the store's bytes on disk. */
    long peakSpilled() {
        return peakSpilled;
    }

    ProcessUsage usage() {
        return ProcessUsage.of(node.process().pid());
    }

    /** The number of transactions in the node's binlog. */
    long transactions() {
        return node.fact("gtid.executed")
                .map(text -> GtidSet.parse(text).count())
                .orElse(0L);
    }

    @Override
    public void close() throws IOException {
        node.close();
        Folders.delete(folder);
    }
}
