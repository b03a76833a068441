package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.RowChange;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.TsoCommits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** order.mode=tso with real shards: a bank whose coordinator writes marker rows, a node killed amid it, and a branch in doubt. */
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
                    .settle(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica);
            assertTrue(replica.isRunning(), replica.error());
            assertTrue(bank.figures().xa() > 100, "a load worth looking at: " + bank.figures());
            for (BinlogTransaction transaction : invariants.output().all()) {
                for (RowChange change : transaction.changes()) {
                    assertFalse(change.schema().equals("tributary"), "a marker row in the output: " + transaction);
                }
            }
        }
    }

    @Test
    void aBranchInDoubtIsNamedAndABrokenPromiseRefused(@TempDir Path folder) throws Exception {
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
                        "the hole to be named",
                        Duration.ofSeconds(20),
                        () -> cluster.node().logText().contains("shard s1: XA 'doubt','1',1"));
                cluster.node().kill9();
                cluster.node().start();
                branch(second, "'other','2'", 13, 1);
                second.execute("XA COMMIT 'other','2'");
                first.execute("XA ROLLBACK 'doubt','1'");
                new Invariants(cluster).settle().ofTransactions();

                // now a coordinator that commits 20 although it has not prepared 19
                branch(first, "'large','1'", 20, 4);
                first.execute("XA COMMIT 'large','1'");
                branch(first, "'small','1'", 19, 5);
                first.execute("XA COMMIT 'small','1'");
                Await.until(
                        "the refusal",
                        Duration.ofSeconds(20),
                        () -> cluster.node().logText().contains("found 19, which goes back: XA 'small','1',1"));
                String log = cluster.node().logText();
                assertTrue(
                        log.contains("TSO_REFUSED") && log.contains("shard s1 at ") && log.contains("above 20"), log);
            }
        }
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
