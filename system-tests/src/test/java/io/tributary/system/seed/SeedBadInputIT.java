package io.tributary.system.seed;

import static io.tributary.system.seed.StockShard.LIMIT;
import static io.tributary.system.seed.StockShard.ROWS;
import static io.tributary.system.seed.StockShard.assertEqual;
import static io.tributary.system.seed.StockShard.awaitRows;
import static io.tributary.system.seed.StockShard.rows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets that fail while a seed runs, and a table that changes its key: nothing is half done and looks done. */
class SeedBadInputIT {
    @TempDir
    private Path folder;

    private LocalCluster cluster() throws SQLException {
        return StockShard.cluster(folder, "512MiB");
    }

    private SeedProcess seed(LocalCluster cluster, MysqlServer target, String log, String... options) {
        return SeedProcess.start(cluster, target, folder.resolve(log + ".log"), options);
    }

    @Test
    void aTargetWithoutSpaceIsResumedWhenItHasMore() throws Exception {
        try (LocalCluster cluster = cluster()) {
            cluster.node().start();
            MysqlOptions options =
                    MysqlReplica.options("full", 2).in(folder.resolve("full")).with("--innodb-file-per-table=0");
            MysqlServer small =
                    MysqlServer.start(options.with("--innodb-data-file-path=ibdata1:12M:autoextend:max:24M"));
            try (SeedProcess seed = seed(cluster, small, "full")) {
                seed.awaitError(LIMIT, "TARGET_FAILED: ", "is full");
            } finally {
                small.stop();
                small.close();
            }
            MysqlReplica large = cluster.newReplica(options.with("--innodb-data-file-path=ibdata1:12M:autoextend"));
            assertTrue(rows(large.server()) > 0 && rows(large.server()) < ROWS);
            assertTrue(large.status().isEmpty(), "it replicates");
            try (SeedProcess seed = seed(cluster, large.server(), "resumed")) {
                seed.awaitReady(LIMIT);
                assertTrue(seed.text().contains("Resuming the seed"), seed::text);
            }
            assertEqual(cluster, cluster.shards(), cluster.shards(), large);
        }
    }

    @Test
    void aTargetThatIsKilledIsResumed() throws Exception {
        try (LocalCluster cluster = cluster();
                ChangingTable changing = new ChangingTable(cluster.shards())) {
            changing.prepare();
            cluster.shards()
                    .get(0)
                    .execute("GRANT LOCK TABLES ON *.* TO '" + cluster.config().get("shard.s1.user") + "'");
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            changing.start();
            try (SeedProcess seed = seed(cluster, replica.server(), "copying", "--rate", "4MiB")) {
                awaitRows(seed, replica.server(), 2000);
                replica.server().kill9();
                seed.awaitError(LIMIT, "TARGET_UNREACHABLE: ");
            }
            replica.server().restart();
            try (SeedProcess seed = seed(cluster, replica.server(), "replaying", "--sessions", "1")) {
                Await.until(
                        () -> "a replay: " + seed.text(),
                        LIMIT,
                        () -> seed.text().contains("Replaying"));
                replica.server().kill9();
                seed.awaitError(LIMIT, "TARGET_UNREACHABLE: ");
            }
            replica.server().restart();
            try (SeedProcess seed = seed(cluster, replica.server(), "ready")) {
                seed.awaitReady(LIMIT);
            }
            changing.stop();
            assertEqual(cluster, cluster.shards(), cluster.shards(), replica);
        }
    }

    @Test
    void aTableMayChangeItsPrimaryKey() throws Exception {
        try (LocalCluster cluster = cluster()) {
            MysqlServer shard = cluster.shards().get(0);
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            try (SeedProcess seed = seed(cluster, replica.server(), "log", "--rate", "4MiB")) {
                awaitRows(seed, replica.server(), 2000);
                shard.execute(
                        "UPDATE stock.items SET n = n + 1 WHERE id < 3000",
                        "ALTER TABLE stock.items DROP PRIMARY KEY, ADD PRIMARY KEY (n, id)",
                        "UPDATE stock.items SET id = id + 1 WHERE id > 10000 ORDER BY id DESC",
                        "DELETE FROM stock.items WHERE n % 7 = 0");
                seed.awaitReady(LIMIT);
                assertTrue(seed.text().contains("Copied again"), seed::text);
            }
            shard.execute("UPDATE stock.items SET v = 'later' WHERE id % 3 = 0");
            assertEqual(cluster, cluster.shards(), cluster.shards(), replica);
        }
    }
}
