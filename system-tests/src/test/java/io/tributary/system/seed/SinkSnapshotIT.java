package io.tributary.system.seed;

import static io.tributary.system.seed.StockShard.LIMIT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.kafka.TopicApplier;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink that sends the rows of a seeded server, whose applier is stopped, and then the stream: a consumer has what the shard has. */
class SinkSnapshotIT {
    private static final List<String> SCHEMAS = List.of("stock");

    @TempDir
    private Path folder;

    @Test
    void aConsumerHasTheRowsFromBeforeTheStream() throws Exception {
        try (LocalCluster cluster = StockShard.cluster(folder, "512MiB");
                KafkaBrokers brokers = KafkaBrokers.one();
                MysqlServer target = MysqlServer.start("target")) {
            MysqlServer shard = cluster.shards().get(0);
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            try (SeedProcess seed = SeedProcess.start(cluster, replica.server(), folder.resolve("seed.log"))) {
                seed.awaitReady(LIMIT);
            }
            shard.execute("UPDATE stock.items SET v = 'before' WHERE id % 5 = 0");
            cluster.awaitAllWritten(LIMIT);
            replica.awaitGtids(cluster.gtidExecuted(), LIMIT);

            NodeProcess sink = sink(cluster, brokers, replica.server());
            sink.launch();
            awaitState(sink, "held: SINK_SNAPSHOT_UNFIT");
            assertTrue(sink.fact("sink.state").orElse("").contains("STOP REPLICA SQL_THREAD"));

            replica.server().execute("STOP REPLICA SQL_THREAD", "ALTER TABLE stock.items ADD COLUMN own INT");
            awaitState(
                    sink,
                    "held: SINK_SNAPSHOT_UNFIT: snapshot server 127.0.0.1:"
                            + replica.server().port() + ": expected gtid_executed");
            replica.server().execute("RESET MASTER", "SET GLOBAL gtid_purged = '" + cluster.gtidExecuted() + "'");
            awaitState(
                    sink,
                    "held: SINK_SNAPSHOT_UNFIT: snapshot server 127.0.0.1:"
                            + replica.server().port() + ": expected table stock.items with column none at number 4");

            shard.execute(
                    "UPDATE stock.items SET v = 'after' WHERE id % 7 = 0", "DELETE FROM stock.items WHERE id % 11 = 0");
            replica.server().execute("SET SESSION sql_log_bin = 0", "ALTER TABLE stock.items DROP COLUMN own");
            Await.until(
                    () -> "a part; " + sink.facts() + "; " + sink.lastLines(),
                    LIMIT,
                    () -> sink.fact("sink.snapshot").isPresent()
                            || sink.fact("sink.executed").orElse("").contains(":"));
            sink.kill9();
            sink.launch();
            shard.execute("INSERT INTO stock.items VALUES (1000001, 1, 'new')");
            compare(cluster, brokers, sink, target);
        }
    }

    private static NodeProcess sink(LocalCluster cluster, KafkaBrokers brokers, MysqlServer snapshot) {
        return cluster.newNode(
                "sink",
                config -> config.set("node.role", "sink")
                        .set("admin.listen", "127.0.0.1:" + Ports.free())
                        .set("sink.nodes", "127.0.0.1:" + cluster.servePort())
                        .set("sink.user", LocalCluster.READER.name())
                        .set("sink.password", LocalCluster.READER.password())
                        .set("sink.snapshot", "127.0.0.1:" + snapshot.port())
                        .set("sink.snapshot.user", MysqlServer.ROOT)
                        .set("sink.snapshot.password", MysqlServer.ROOT_PASSWORD)
                        .set("sink.brokers", brokers.addresses())
                        .set("sink.retry", "500ms"));
    }

    private static void awaitState(NodeProcess sink, String state) {
        Await.until(
                () -> state + "; " + sink.facts() + "; " + sink.lastLines(),
                LIMIT,
                () -> sink.fact("sink.state").orElse("").startsWith(state));
    }

    private static void compare(LocalCluster cluster, KafkaBrokers brokers, NodeProcess sink, MysqlServer target)
            throws Exception {
        cluster.awaitAllWritten(LIMIT);
        String all = cluster.gtidExecuted();
        Await.until(
                () -> "the sink to send " + all + "; " + sink.facts() + "; " + sink.lastLines(),
                LIMIT,
                () -> all.equals(sink.fact("sink.executed").orElse("")));
        target.execute(
                "CREATE DATABASE stock",
                "CREATE TABLE stock.items (id INT PRIMARY KEY, n INT NOT NULL, v VARCHAR(1000))");
        try (TopicApplier applier = new TopicApplier(brokers.addresses(), Pattern.compile("stock\\..*"), target)) {
            applier.awaitAll(LIMIT);
        }
        TableChecksum.compare(TableChecksum.union(cluster.shards(), SCHEMAS), TableChecksum.of(target, SCHEMAS))
                .assertClean();
    }
}
