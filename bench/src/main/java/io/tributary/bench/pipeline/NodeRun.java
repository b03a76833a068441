package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.source.SourceProcess;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A run of the whole standalone node in an empty folder, until its durable binlog contains every transaction of all sources. */
final class NodeRun {
    /** The configuration key of the largest number of sources of one merger. */
    static final String FAN_IN = "merger.fan-in";

    private static final String BINLOG = "binlog";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final SourceProcess source;
    private final Path folder;
    private final Map<String, String> keys;

    /**
     * @param folder created for its files and deleted afterwards
     * @param keys additional keys of its configuration
     */
    NodeRun(SourceProcess source, Path folder, Map<String, String> keys) {
        this.source = source;
        this.folder = folder;
        this.keys = Map.copyOf(keys);
    }

    Outcome run(Load load) throws IOException {
        source.reset();
        Folders.delete(folder);
        Files.createDirectories(folder);
        double sourceBefore = ProcessUsage.of(source.pid()).cpuSeconds();
        Path log = folder.resolve("node.log");
        try (NodeProcess node =
                new NodeProcess(NodeProcess.projectHome(), folder.resolve("node.properties"), config(), log)) {
            node.launch();
            await(
                    node,
                    "the node to read all shards",
                    START_LIMIT,
                    () -> source.shards().stream()
                            .allMatch(shard -> source.progress(shard).firstReadMicros() > 0));
            double startCpu = ProcessUsage.of(node.process().pid()).cpuSeconds();
            await(node, "the node to write half of all", LIMIT, () -> writtenBytes() >= load.bytes() / 2);
            Warm warm = new Warm(node);
            awaitWritten(node);
            long end = Clock.SYSTEM.epochMicros();
            ProcessUsage usage = ProcessUsage.of(node.process().pid());
            double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - sourceBefore;
            double syncs = node.metric("tributary_write_syncs_total");
            checkCount(node, load);
            node.terminate(); // so that a profiler in it can write its result
            return new Outcome((end - begin()) / 1e6, usage, startCpu, sourceCpu, syncs, warm.until(end, usage));
        } finally {
            Folders.delete(folder);
        }
    }

    /** Measures the later half: when the node has written half of all bytes, nearly all of its code is compiled. */
    private final class Warm {
        private final long written = writtenBytes();
        private final ProcessUsage used;
        private final long begin = Clock.SYSTEM.epochMicros();

        Warm(NodeProcess node) {
            this.used = ProcessUsage.of(node.process().pid());
        }

        Outcome.Part until(long end, ProcessUsage usage) {
            long all = writtenBytes();
            return new Outcome.Part((all - written) / (double) all, (end - begin) / 1e6, usage.since(used));
        }
    }

    /** The bytes of its binlog files, durable or not; read without a request to the node. */
    private long writtenBytes() {
        try (Stream<Path> files = Files.list(folder.resolve(BINLOG))) {
            return files.filter(file -> !file.toString().endsWith(".idx"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long begin() {
        return source.shards().stream()
                .mapToLong(shard -> source.progress(shard).firstReadMicros())
                .min()
                .orElseThrow();
    }

    private void awaitWritten(NodeProcess node) {
        for (String shard : source.shards()) {
            await(
                    node,
                    "shard " + shard + " to be read to its end",
                    LIMIT,
                    () -> source.progress(shard).lastNumber() > 0);
        }
        await(node, "the node to write all transactions of all shards", LIMIT, () -> {
            Map<String, String> facts = node.facts();
            return source.shards().stream().allMatch(shard -> hasAll(shard, facts));
        });
    }

    private boolean hasAll(String shard, Map<String, String> facts) {
        long last = source.progress(shard).lastNumber();
        return Optional.ofNullable(facts.get("frontier." + shard))
                .map(GtidSet::parse)
                .filter(set -> set.sids().stream().anyMatch(sid -> set.last(sid) >= last))
                .isPresent();
    }

    private static void await(NodeProcess node, String what, Duration limit, Await.Condition condition) {
        Await.until(() -> what + "; log of the node:\n" + node.logText(), limit, () -> {
            if (!node.process().isAlive()) {
                throw new IllegalStateException("the node ended: " + node.logText());
            }
            return condition.holds();
        });
    }

    /** Checks the number of transactions. Each shard has the same DDL statements, which are in the output once. */
    private void checkCount(NodeProcess node, Load load) {
        long shards = source.shards().size();
        long expected = load.transactions() - load.statements() + load.statements() / shards;
        long found = node.fact("gtid.executed")
                .map(text -> GtidSet.parse(text).count())
                .orElse(0L);
        if (found != expected) {
            throw new IllegalStateException(
                    "expected " + expected + " transactions in the node's binlog, found " + found);
        }
    }

    private NodeConfig config() {
        MysqlUser user = MysqlUser.tributary();
        NodeConfig config = new NodeConfig()
                .set("server.id", "4711")
                .set("binlog.directory", folder.resolve(BINLOG).toString())
                .set("store.directory", folder.resolve("store").toString())
                .set("serve.listen", "127.0.0.1:" + Ports.free())
                .set("serve.tls.enabled", "false") // readers are measured without TLS
                .set("serve.user", "reader")
                .set("serve.password", "reader-secret")
                .set("admin.listen", "127.0.0.1:" + Ports.free());
        keys.forEach(config::set);
        for (String shard : source.shards()) {
            String prefix = "shard." + shard + ".";
            config.set(prefix + "host", "127.0.0.1")
                    .set(prefix + "port", Integer.toString(source.port(shard)))
                    .set(prefix + "user", user.name())
                    .set(prefix + "password", user.password());
        }
        return config;
    }
}
