package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.LogCopies;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two Tasks and three Dumpers that find each other in ZooKeeper: the leader dies, the Task that runs the pipeline dies, and nothing is lost. */
class ClusterIT {
    private static final int TRANSACTIONS = 200;

    @Test
    void theResultIsThatOfOneProcessThoughLeaderAndTaskAreKilled(@TempDir Path folder) throws Exception {
        ClusterNodes nodes = new ClusterNodes(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                2,
                3,
                config -> config.set("binlog.file.size", "256KiB")
                        .set("backup.directory", folder.resolve("backup").toString())
                        .set("backup.look", "1s")
                        .withoutTls());
        try (LocalCluster cluster = nodes.cluster();
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(5).perSecond(300))) {
            NodeProcess first = nodes.launch().awaitServing(0, Invariants.LIMIT);
            MysqlReplica replica = cluster.newReplica("replica", 4);
            attach(replica, first);
            bank.prepare();
            bank.start();
            awaitMore(cluster, first);

            first.kill9();
            NodeProcess second = nodes.awaitServing(1, Invariants.LIMIT);
            assertNotEquals(first, second);
            attach(replica, second);
            awaitMore(cluster, second);
            first.launch();

            nodes.runningTask().orElseThrow().kill9();
            awaitMore(cluster, second);
            bank.stop();

            cluster.awaitAllWritten(second, Invariants.LIMIT);
            LogCopies.awaitSame(second, nodes.dumpers(), Invariants.LIMIT);
            awaitBackedUp(cluster, second, folder.resolve("backup"));
            replica.awaitGtids(second.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            assertEquals("2", second.fact("epoch").orElseThrow(), cluster.lastLines());
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA), replica);
        }
    }

    private static void attach(MysqlReplica replica, NodeProcess leader) throws Exception {
        replica.attachByGtid(
                "127.0.0.1",
                ClusterNodes.servePort(leader),
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }

    private static void awaitMore(LocalCluster cluster, NodeProcess leader) {
        double enough = leader.metric("tributary_write_transactions_total") + TRANSACTIONS;
        Await.until(
                () -> "more transactions; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_write_transactions_total") >= enough);
    }

    /** A follower has brought the finished files to the backup, and the leader knows. */
    private static void awaitBackedUp(LocalCluster cluster, NodeProcess leader, Path backup) throws Exception {
        Await.until(
                () -> "the finished files to be backed up; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_backup_pending") == 0);
        String own = Files.readString(
                backup.resolve("tributary/" + leader.fact("server.uuid").orElseThrow() + "/MANIFEST"));
        String last = leader.fact("binlog").orElseThrow().split(":", -1)[0];
        List<String> finished = RemoteReader.files(Path.of(leader.config().get("binlog.directory"))).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.compareTo(last) < 0)
                .toList();
        assertFalse(finished.isEmpty());
        finished.forEach(name -> assertTrue(own.contains("\n" + name + " "), () -> name + " in " + own));
        MysqlTools.Outcome verified = RestoreIT.backup(leader, "verify");
        assertEquals(0, verified.status(), verified.output());
    }
}
