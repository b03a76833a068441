package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures the time from the start of a node's process until it accepts readers, if a crash has left a large last binlog file. */
final class ColdStart {
    private static final int ROWS = 64;
    private static final int ROW_BYTES = 1000;
    private static final long MIB = 1 << 20;

    private ColdStart() {}

    /**
     * Fills one file, then kills and starts the node this many times.
     *
     * @param mebibytes size of the file in MiB
     */
    static List<Duration> measure(Path folder, int mebibytes, int times) throws SQLException, IOException {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.withoutTls().set("binlog.file.size", 2 * mebibytes + "MiB"))) {
            NodeProcess node = cluster.node().start();
            fill(cluster.shards().get(0), mebibytes * MIB);
            cluster.awaitAllWritten(TestCluster.LIMIT);
            requireLength(TestCluster.binlogFolder(node), mebibytes * MIB);
            List<Duration> took = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                node.kill9();
                long began = Clock.SYSTEM.nanoTime();
                node.launch();
                Await.until(
                        () -> "the node to accept readers; " + node.lastLines(),
                        TestCluster.LIMIT,
                        () -> node.fact("serves").filter(at -> at.contains(":")).isPresent());
                took.add(Duration.ofNanos(Clock.SYSTEM.nanoTime() - began));
            }
            return took;
        }
    }

    /** Writes transactions of 64 rows of 1000 bytes. */
    private static void fill(MysqlServer shard, long bytes) throws SQLException {
        String rows = IntStream.range(0, ROWS)
                .mapToObj(i -> "(REPEAT('" + (char) ('a' + i % 26) + "', " + ROW_BYTES + "))")
                .collect(Collectors.joining(", "));
        try (Sql sql = shard.sql()) {
            sql.execute(
                    "CREATE DATABASE cold",
                    "CREATE TABLE cold.rows_ (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, text VARCHAR(1000) CHARACTER SET ascii)");
            for (long written = 0; written < bytes; written += (long) ROWS * ROW_BYTES) {
                sql.execute("INSERT INTO cold.rows_ (text) VALUES " + rows);
            }
        }
    }

    private static void requireLength(Path folder, long bytes) throws IOException {
        long longest = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                longest = Math.max(longest, Files.size(file));
            }
        }
        if (longest < bytes) {
            throw new IllegalStateException(
                    "expected a file of " + bytes + " bytes in " + folder + ", found at most " + longest);
        }
    }
}
