package io.tributary.system.seed;

import static io.tributary.system.seed.StockShard.LIMIT;
import static io.tributary.system.seed.StockShard.assertEqual;
import static io.tributary.system.seed.StockShard.awaitRows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that cannot be seeded, and shards that fail over or are purged: a clear answer, and nothing half done that looks done. */
class SeedRefusalIT {
    @TempDir
    private Path folder;

    private LocalCluster cluster() throws SQLException {
        return StockShard.cluster(folder, "16KiB");
    }

    private SeedProcess seed(LocalCluster cluster, MysqlServer target, String log, String... options) {
        return SeedProcess.start(cluster, target, folder.resolve(log + ".log"), options);
    }

    private static void assertUntouched(MysqlServer target) throws SQLException {
        assertEquals(
                "0",
                target.text("SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN ('mysql', 'sys',"
                        + " 'performance_schema', 'information_schema')"));
        assertEquals("", target.gtidExecuted());
    }

    @Test
    void refusesServersThatCannotBeSeeded() throws Exception {
        try (LocalCluster cluster = cluster();
                MysqlServer older =
                        MysqlServer.start(MysqlOptions.named("older").of(MysqlRelease.MYSQL_5_7_22));
                MysqlServer mariadb =
                        MysqlServer.start(MysqlOptions.named("mariadb").of(MysqlRelease.MARIADB_10_11))) {
            cluster.node().start();
            try (SeedProcess seed = seed(cluster, older, "older")) {
                seed.awaitError(LIMIT, "TARGET_UNFIT: ", "not older than the shards' (8.0), found 5.7.22");
            }
            assertUntouched(older);
            try (SeedProcess seed = seed(cluster, mariadb, "mariadb")) {
                seed.awaitError(LIMIT, "TARGET_UNFIT: ", "expected a MySQL server, found MariaDB");
            }
            MysqlReplica replica = cluster.newReplica("replica", 2);
            refusesAWeakAccount(cluster, replica.server());
            Path config = folder.resolve("more.properties");
            cluster.config()
                    .copy()
                    .shard(older, older.port(), MysqlUser.tributary())
                    .write(config);
            try (SeedProcess seed =
                    SeedProcess.start(config, replica.server(), folder.resolve("more.log"), List.of())) {
                seed.awaitError(LIMIT, "CONFIG_INVALID: ", "its stream does not contain [older]");
            }
            assertUntouched(replica.server());
            try (SeedProcess seed = seed(cluster, replica.server(), "fit")) {
                seed.awaitReady(LIMIT);
            }
            assertEqual(cluster, cluster.shards(), cluster.shards(), replica);
        }
    }

    private void refusesAWeakAccount(LocalCluster cluster, MysqlServer target) throws SQLException {
        String[] rights = {
            "SELECT ON *.*",
            "SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, REPLICATION CLIENT, REPLICATION SLAVE, SYSTEM_VARIABLES_ADMIN,"
                    + " REPLICATION_APPLIER, REPLICATION_SLAVE_ADMIN, SESSION_VARIABLES_ADMIN ON *.*"
        };
        for (int i = 0; i < rights.length; i++) {
            MysqlUser user = new MysqlUser("weak" + i, "weak-secret", MysqlUser.CACHING_SHA2);
            user.create(target, rights[i]);
            try (SeedProcess seed = SeedProcess.start(
                    cluster.node().configFile(),
                    target,
                    folder.resolve("weak" + i + ".log"),
                    List.of("TRIBUTARY_TARGET_PASSWORD=" + user.password()),
                    "--target-user",
                    user.name())) {
                seed.awaitError(LIMIT, "TARGET_UNFIT: ", "expected the right", "an account with ALL ON *.* WITH GRANT");
            }
            assertUntouched(target);
        }
    }

    /** The copy has read a transaction that the standby does not have and that the stream will never have. */
    @Test
    void aShardMayFailOver() throws Exception {
        try (LocalCluster cluster = cluster()) {
            MysqlServer first = cluster.shards().get(0);
            MysqlReplica standby = cluster.newReplica("standby", 1);
            MysqlUser.tributary(first.release()).createForTributary(standby.server());
            standby.attachByGtid("127.0.0.1", first.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
            standby.server().execute("SET GLOBAL read_only = ON");
            standby.awaitGtids(first.gtidExecuted(), LIMIT);
            cluster.config()
                    .set("shard.s1.standby", "127.0.0.1:" + standby.server().port());
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            try (SeedProcess seed = seed(cluster, replica.server(), "first", "--rate", "512KiB", "--workers", "1")) {
                awaitRows(seed, replica.server(), 1000);
                seed.process().pause(); // it has read a few MB more than it has written
                int lost = StockShard.rows(replica.server()) + 5000;
                cluster.node().kill9();
                standby.stop();
                first.execute("UPDATE stock.items SET v = 'lost' WHERE id BETWEEN " + lost + " AND " + (lost + 1000));
                seed.process().resume();
                awaitRows(seed, replica.server(), lost + 2000);
                first.kill9();
                seed.awaitError(LIMIT, "_UNREACHABLE: ");
            }
            assertEquals("1001", replica.server().text("SELECT COUNT(*) FROM stock.items WHERE v = 'lost'"));
            standby.server().execute("RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
            cluster.node().start();
            try (SeedProcess seed = seed(cluster, replica.server(), "second")) {
                seed.awaitReady(LIMIT);
                assertTrue(seed.text().contains("another server of these shards has taken over: [s1]"), seed::text);
            }
            standby.server().execute("UPDATE stock.items SET v = 'new' WHERE id = 12000");
            GtidSet executed = GtidSet.parse(standby.server().gtidExecuted());
            Await.until(
                    () -> "the node to read all of the standby: " + cluster.lastLines(),
                    LIMIT,
                    () -> GtidSet.parse(cluster.node().fact("frontier.s1").orElse(""))
                            .containsAll(executed));
            assertEqual(cluster, List.of(), List.of(standby.server()), replica);
        }
    }

    @Test
    void refusesAStreamWhoseFilesWerePurged() throws Exception {
        try (LocalCluster cluster = cluster()) {
            MysqlServer shard = cluster.shards().get(0);
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            try (SeedProcess seed = seed(cluster, replica.server(), "first", "--rate", "2MiB")) {
                awaitRows(seed, replica.server(), 1000);
                seed.process().kill9();
            }
            for (int i = 0; i < 60; i++) {
                shard.execute("UPDATE stock.items SET v = REPEAT('" + i % 10 + "', 900) WHERE id = 1");
            }
            cluster.awaitAllWritten(LIMIT);
            cluster.node().terminate();
            try (var files = Files.list(cluster.binlogFolder())) {
                List<Path> binlogs = files.filter(
                                file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                        .sorted()
                        .toList();
                assertTrue(binlogs.size() > 3, binlogs.toString());
                Files.delete(binlogs.get(0));
                Files.delete(binlogs.get(1));
            }
            cluster.node().start();
            try (SeedProcess seed = seed(cluster, replica.server(), "second")) {
                seed.awaitError(LIMIT, "READER_REFUSED: ", "purged");
            }
            assertTrue(replica.status().isEmpty(), "it replicates");
        }
    }
}
