package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.RowChange;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.TsoCommits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of order.mode=tso with real shards: a bank whose coordinator writes marker rows, kills of the node under load, and an undecided branch. */
class TsoIT {
    private static final long SEED = Long.getLong("seed", 5);

    private static LocalCluster cluster(Path folder, String... shards) throws Exception {
        return LocalCluster.withShards(
                folder,
                List.of(shards).stream().map(MysqlOptions::named).toList(),
                config -> config.withoutTls().set("order.mode", "tso").set("order.indoubt.warn", "200ms"));
    }

    @Test
    void nothingIsLostRepeatedOrOutOfOrderByKills(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = cluster(folder, "s1", "s2", "s3")) {
            TsoCommits commits = TsoCommits.on(cluster.shards());
            BankWorkload bank = cluster.closing(
                    new BankWorkload(cluster.shards(), BankOptions.seeded(SEED).perSecond(300), commits));
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            bank.prepare();
            bank.start();
            for (int kill = 0; kill < 3; kill++) {
                awaitGrowth(cluster, 150_000);
                cluster.node().kill9();
                cluster.node().start();
            }
            awaitGrowth(cluster, 100_000);
            bank.stop();
            Invariants invariants = new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica);
            assertTrue(replica.isRunning(), replica.error());
            assertTrue(bank.figures().xa() > 100, "too few XA transactions: " + bank.figures());
            for (BinlogTransaction transaction : invariants.output().all()) {
                for (RowChange change : transaction.changes()) {
                    assertFalse(change.schema().equals("tributary"), "a marker row in the output: " + transaction);
                }
            }
        }
    }

    @Test
    void anUndecidedBranchIsLoggedAndATooSmallTsoIsRefused(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = cluster(folder, "s1", "s2")) {
            TsoCommits.on(cluster.shards());
            cluster.node().start();
            try (Sql first = cluster.shards().get(0).sql();
                    Sql second = cluster.shards().get(1).sql()) {
                first.execute("CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)");
                branch(first, "'doubt','1'", 11, 1);
                branch(first, "'next','1'", 12, 2);
                first.execute("XA COMMIT 'next','1'");
                second.execute("CREATE DATABASE e", "CREATE TABLE e.t (a INT PRIMARY KEY)");
                Await.until(
                        "the undecided branch to be logged",
                        Duration.ofSeconds(20),
                        () -> cluster.node()
                                .logText()
                                .contains("branch undecided: shard=s1 branch=\"XA 'doubt','1',1,"));
                String list = tributary(cluster, "xa", "list", "--json");
                for (String part : List.of(
                        "\"total\":1",
                        "\"in.doubt\":true",
                        "\"shard\":\"s1\",\"state\":\"prepared\",\"xid\":\"'doubt','1',1\"",
                        "the decision on shard s1 at TSO 11; ",
                        "XA COMMIT 'doubt','1',1 or XA ROLLBACK 'doubt','1',1 on shard s1")) {
                    assertTrue(list.contains(part), part + " in " + list);
                }
                cluster.node().kill9();
                cluster.node().start();
                branch(second, "'other','2'", 13, 1);
                second.execute("XA COMMIT 'other','2'");
                first.execute("XA ROLLBACK 'doubt','1'");
                new Invariants(cluster).awaitApplied().ofTransactions();

                // a branch with a TSO that is too small does no harm if it is rolled back
                branch(first, "'large','1'", 20, 4);
                first.execute("XA COMMIT 'large','1'");
                branch(first, "'late','1'", 18, 6);
                first.execute("XA ROLLBACK 'late','1'");
                new Invariants(cluster).awaitApplied().ofTransactions();

                // the coordinator commits 19 although it has committed 20 before
                branch(first, "'small','1'", 19, 5);
                first.execute("XA COMMIT 'small','1'");
                Await.until(
                        "the refusal",
                        Duration.ofSeconds(20),
                        () -> cluster.node().logText().contains("found 19, which is smaller: XA 'small','1',1"));
                String log = cluster.node().logText();
                assertTrue(
                        log.contains("TSO_REFUSED") && log.contains("shard s1 at ") && log.contains("above 20"), log);
            }
        }
    }

    @Test
    void shardsAreAddedAndRemovedWithoutARestart(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = cluster(folder, "s1", "s2", "s3")) {
            TsoCommits commits = TsoCommits.on(cluster.shards());
            for (String key : List.of("host", "port", "user", "password", "tls")) {
                cluster.config().remove("shard.s3." + key);
            }
            cluster.node().start();
            BankWorkload bank = cluster.closing(
                    new BankWorkload(cluster.shards(), BankOptions.seeded(SEED).perSecond(250), commits));
            bank.use(List.of(0, 1));
            bank.prepare();
            bank.prepareTables(2);
            bank.start();
            awaitGrowth(cluster, 60_000);
            MysqlServer third = cluster.shards().get(2);
            cluster.config().shard(third, third.port(), MysqlUser.tributary()).withoutTls();
            cluster.config().write(cluster.node().configFile());
            tributary(cluster, "shard", "add", "s3");
            bank.openAccounts(2);
            use(bank, List.of(0, 1, 2));
            awaitGrowth(cluster, 60_000);
            cluster.node().kill9();
            cluster.node().start();
            use(bank, List.of(1, 2));
            tributary(cluster, "shard", "remove", "s1");
            cluster.node().kill9();
            cluster.node().start();
            awaitGrowth(cluster, 60_000);
            bank.stop();
            assertFalse(cluster.node().fact("frontier.s1").isPresent());
            new Invariants(cluster).awaitApplied(cluster.shards().subList(1, 3)).ofTransactions(bank);
            assertTrue(bank.figures().xa() > 50, "too few XA transactions: " + bank.figures());
        }
    }

    private static void use(BankWorkload bank, List<Integer> shards) throws Exception {
        bank.stop();
        bank.use(shards);
        bank.start();
    }

    private static String tributary(LocalCluster cluster, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(NodeProcess.projectHome().resolve("bin/tributary").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-c", cluster.node().configFile().toString()));
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertEquals(0, outcome.status(), outcome.output() + cluster.node().lastLines());
        return outcome.output();
    }

    private static void branch(Sql sql, String xid, long tso, int row) throws Exception {
        sql.execute(
                "XA START " + xid,
                "INSERT INTO " + (xid.endsWith("'1'") ? "d.t" : "e.t") + " VALUES (" + row + ")",
                "INSERT INTO tributary.commit_tso VALUES (" + tso + ")",
                "XA END " + xid,
                "XA PREPARE " + xid);
    }

    private static void awaitGrowth(LocalCluster cluster, long bytes) throws Exception {
        long target = size(cluster.binlogFolder()) + bytes;
        Await.until(
                () -> "the node to write; " + cluster.node().lastLines(),
                Duration.ofMinutes(1),
                () -> size(cluster.binlogFolder()) >= target);
    }

    private static long size(Path folder) throws Exception {
        long size = 0;
        for (Path file : RemoteReader.files(folder)) {
            size += Files.size(file);
        }
        return size;
    }
}
