package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of changes at a shard that hold the shard: the node runs, serves its readers, and resumes the shard when the change is corrected. */
class ShardHeldIT {
    private static final long SEED = Long.getLong("seed", 13);
    private static final int TRANSACTIONS = 200;
    private static final int UNKNOWN_SESSION = 1094;

    @Test
    void aChangedPasswordIsAppliedByReload(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls());
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(SEED).perSecond(200))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            bank.prepare();
            bank.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);

            MysqlServer shard = cluster.shards().get(1);
            MysqlUser user = MysqlUser.tributary();
            shard.execute("ALTER USER '" + user.name() + "'@'%' IDENTIFIED BY 'the-new-one'");
            killSessions(shard, user);
            awaitHeld(cluster, "s2", "SHARD_LOGIN_REFUSED");
            assertEquals(1, cluster.node().metric("tributary_shard_held{code=\"SHARD_LOGIN_REFUSED\",shard=\"s2\"}"));
            assertEquals(1, cluster.node().metric("tributary_collect_held_shards"));
            assertServes(cluster);

            cluster.config()
                    .set("shard.s2.password", "the-new-one")
                    .write(cluster.node().configFile());
            MysqlTools.Outcome reload = tributary(cluster, "reload");
            assertEquals(0, reload.status(), reload.output());
            assertTrue(reload.output().contains("shard.s2.password"), reload.output());
            Invariants.awaitMore(cluster, TRANSACTIONS);
            bank.stop();
            assertTrue(cluster.node().fact("shard.s2.held").isEmpty());
            assertEquals(0, cluster.node().metric("tributary_shard_held"));
            assertEquals(0, cluster.node().metric("tributary_collect_held_shards"));
            new Invariants(cluster)
                    .awaitApplied(cluster.shards(), replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica)
                    .ofFiles();
        }
    }

    /** Its rounds are refused: local transactions of the other shards are written, distributed ones wait, and in the end all are written. */
    @Test
    void aReadOnlyShardDoesNotHoldLocalTransactionsOfOthers(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls())) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("CREATE DATABASE free", "CREATE TABLE free.t (id INT PRIMARY KEY, shard INT)");
            }
            MysqlServer first = cluster.shards().get(0);
            MysqlServer second = cluster.shards().get(1);
            MysqlServer third = cluster.shards().get(2);
            second.execute("INSERT INTO free.t VALUES (1000, 2)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            second.execute("SET GLOBAL super_read_only = ON");
            long readOnlySince = System.nanoTime();
            long connectionsBefore = connections(second);
            for (int i = 0; i < TRANSACTIONS; i++) {
                first.execute("INSERT INTO free.t VALUES (" + i + ", 1)");
                third.execute("INSERT INTO free.t VALUES (" + (2000 + i) + ", 3)");
            }
            awaitRows(replica, 2 * TRANSACTIONS + 1);

            for (MysqlServer shard : List.of(first, third)) {
                shard.execute(
                        "XA START 'joined'",
                        "INSERT INTO free.t VALUES (" + (4000 + cluster.shards().indexOf(shard)) + ", 9)",
                        "XA END 'joined'",
                        "XA PREPARE 'joined'");
            }
            first.execute("XA COMMIT 'joined'");
            third.execute("XA COMMIT 'joined'");
            Await.until(
                    () -> "a log line about the read-only shard; "
                            + cluster.node().lastLines(),
                    Invariants.LIMIT,
                    () -> cluster.node().logText().contains("shard takes no rounds: shard=s2"));
            assertEquals("0", replica.server().text("SELECT COUNT(*) FROM free.t WHERE shard = 9"));

            long opened = connections(second) - connectionsBefore;
            double seconds = (System.nanoTime() - readOnlySince) / 1e9;
            assertTrue(
                    opened <= 8 + 1.5 * seconds, opened + " connections to the read-only shard in " + seconds + " s");
            second.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
            second.execute("INSERT INTO free.t VALUES (1001, 2)");
            awaitRows(replica, 2 * TRANSACTIONS + 4);
            assertEquals(1, lines(cluster, "rounds wait for shard: "), cluster.node()::logText);
            assertEquals(1, lines(cluster, "shard takes rounds again: shard=s2"), cluster.node()::logText);
            new Invariants(cluster)
                    .awaitApplied(cluster.shards(), replica)
                    .ofReplicas(List.of("free"), replica)
                    .ofFiles();
        }
    }

    private static long connections(MysqlServer shard) throws SQLException {
        return Long.parseLong(shard.text(
                "SELECT VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Connections'"));
    }

    private static long lines(LocalCluster cluster, String part) {
        return cluster.node()
                .logText()
                .lines()
                .filter(line -> line.contains(part))
                .count();
    }

    private static void awaitRows(MysqlReplica replica, int rows) {
        List<String> seen = new ArrayList<>();
        Await.until(() -> rows + " rows, found " + seen.get(seen.size() - 1), Invariants.LIMIT, () -> {
            seen.add(replica.server().text("SELECT COUNT(*) FROM free.t"));
            return seen.get(seen.size() - 1).equals(Integer.toString(rows));
        });
    }

    @Test
    void aBinlogThatWasResetHoldsItsShardAndIsNotRead(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls())) {
            cluster.node().start();
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("CREATE DATABASE IF NOT EXISTS kept", "CREATE TABLE kept.t (id INT PRIMARY KEY)");
                shard.execute("INSERT INTO kept.t VALUES (" + shard.port() + ")");
            }
            Invariants.awaitMore(cluster, 1);
            MysqlServer shard = cluster.shards().get(0);
            shard.execute("RESET MASTER", "INSERT INTO kept.t VALUES (1)");
            awaitHeld(cluster, "s1", "SHARD_HISTORY_LOST");
            assertServes(cluster);
            for (int i = 0; i < 300; i++) { // the GTIDs of the new binlog become larger than those that were read
                shard.execute("INSERT INTO kept.t VALUES (" + (2 + i) + ")");
            }
            cluster.node().kill9();
            MysqlTools.Outcome check = tributary(cluster, "check");
            assertEquals(1, check.status(), check.output());
            assertTrue(check.output().contains("the binlog that was read so far"), check.output());
            MysqlTools.Outcome status = tributary(cluster, "status", "--offline");
            assertEquals(0, status.status(), status.output());
            assertTrue(status.output().contains("frontier.s1: " + shard.uuid() + ":1-"), status.output());
        }
    }

    @Test
    void transactionsWithoutAGtidAreLeftOutByReloadAndTheShardResumes(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls());
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(SEED).perSecond(200))) {
            MysqlServer shard = cluster.shards().get(1);
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            bank.prepare();
            shard.execute("CREATE DATABASE odd", "CREATE TABLE odd.t (id INT PRIMARY KEY)");
            bank.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);

            shard.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE");
            shard.execute("SET gtid_next = 'ANONYMOUS'", "INSERT INTO odd.t VALUES (1)");
            String file = shard.text("SHOW MASTER STATUS").split("\\s", 2)[0];
            awaitHeld(cluster, "s2", "SHARD_UNFIT");
            assertServes(cluster);
            shard.execute("SET GLOBAL gtid_mode = ON");
            MysqlTools.Outcome check = tributary(cluster, "check");
            assertTrue(check.output().contains("shard.s2.skip.anonymous = " + file), check.output());

            cluster.config()
                    .set("shard.s2.skip.anonymous", file)
                    .write(cluster.node().configFile());
            MysqlTools.Outcome reload = tributary(cluster, "reload");
            assertEquals(0, reload.status(), reload.output());
            Invariants.awaitMore(cluster, TRANSACTIONS);
            cluster.node().kill9();
            cluster.node().start();
            Invariants.awaitMore(cluster, TRANSACTIONS);
            shard.execute("INSERT INTO odd.t VALUES (2)");
            bank.stop();
            assertTrue(cluster.node()
                    .logText()
                    .contains("transactions without a GTID left out: shard=s2 transactions=1 "));
            new Invariants(cluster)
                    .awaitApplied(cluster.shards(), replica)
                    .ofTransactionsLeavingOutOneOf("odd.t")
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica)
                    .ofFiles();
            assertEquals("2", replica.server().text("SELECT id FROM odd.t"));
        }
    }

    private static List<MysqlOptions> shards() {
        return List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3"));
    }

    private static void killSessions(MysqlServer shard, MysqlUser user) throws Exception {
        try (Sql sql = shard.sql()) {
            for (Map<String, String> session :
                    sql.rows("SELECT id FROM information_schema.processlist WHERE user = '" + user.name() + "'")) {
                kill(sql, session.values().iterator().next());
            }
        }
    }

    private static void kill(Sql sql, String session) throws SQLException {
        try {
            sql.execute("KILL " + session);
        } catch (SQLException e) {
            if (e.getErrorCode() != UNKNOWN_SESSION) { // it has ended meanwhile
                throw e;
            }
        }
    }

    private static void awaitHeld(LocalCluster cluster, String shard, String code) {
        NodeProcess node = cluster.node();
        Await.until(
                () -> shard + " to be held; " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.ask("/status")
                        .filter(page -> page.contains(code + ": shard " + shard))
                        .isPresent());
    }

    private static void assertServes(LocalCluster cluster) throws Exception {
        assertTrue(cluster.node().process().isAlive());
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            assertTrue(sql.text("SHOW BINARY LOGS").startsWith("binlog."));
        }
    }

    private static MysqlTools.Outcome tributary(LocalCluster cluster, String... command) {
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        List<String> line = new ArrayList<>(List.of(program));
        line.addAll(List.of(command));
        line.addAll(List.of("-c", cluster.node().configFile().toString()));
        return MysqlTools.run(line);
    }
}
