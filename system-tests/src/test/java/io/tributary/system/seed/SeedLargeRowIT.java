package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of many MiB: {@code -Dmegabytes=200 -Dheap=512m -Ddirect=1g}. */
class SeedLargeRowIT {
    private static final int MEGABYTES = Integer.getInteger("megabytes", 24);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String PACKET = "--max-allowed-packet=1G";
    private static final String DIGEST =
            "SELECT GROUP_CONCAT(id, ':', LENGTH(v), ':', SHA2(v, 256) ORDER BY id) FROM large.t";

    @TempDir
    private Path folder;

    @Test
    void aLargeRowIsCopiedAndReplayed() throws Exception {
        String heap = "TRIBUTARY_HEAP=" + System.getProperty("heap", "512m");
        String direct = "TRIBUTARY_DIRECT=" + System.getProperty("direct", "512m");
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1").with(PACKET)),
                config -> config.withoutTls().startingAtLatest())) {
            MysqlServer shard = cluster.shards().get(0);
            shard.execute("CREATE DATABASE large", "CREATE TABLE large.t (id INT PRIMARY KEY, v LONGBLOB, n INT)");
            shard.execute(insert(1, MEGABYTES), insert(2, 1), insert(3, MEGABYTES));
            cluster.node()
                    .with("TRIBUTARY_HEAP", System.getProperty("heap", "512m"))
                    .start();
            MysqlReplica replica =
                    cluster.newReplica(MysqlReplica.options("replica", 2).with(PACKET));
            try (SeedProcess seed = SeedProcess.start(
                    cluster.node().configFile(),
                    replica.server(),
                    folder.resolve("killed.log"),
                    List.of(heap, direct))) {
                Await.until(
                        () -> "a replay: " + seed.text(),
                        LIMIT,
                        () -> seed.text().contains("Copied ") || !seed.process().isAlive());
                seed.process().kill9();
            }
            shard.execute(
                    insert(4, MEGABYTES), "UPDATE large.t SET n = 2 WHERE id = 2", "DELETE FROM large.t WHERE id = 3");
            cluster.awaitAllWritten(LIMIT);
            try (SeedProcess seed = SeedProcess.start(
                    cluster.node().configFile(),
                    replica.server(),
                    folder.resolve("ready.log"),
                    List.of(heap, direct))) {
                seed.awaitReady(LIMIT);
                System.out.println(seed.text());
            }
            assertEquals(shard.text(DIGEST), replica.server().text(DIGEST));
            assertEquals("", replica.error());
        }
    }

    private static String insert(int id, int megabytes) {
        return "INSERT INTO large.t VALUES (" + id + ", REPEAT(RANDOM_BYTES(1024), " + megabytes * 1024 + "), 1)";
    }
}
