package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with a leader and a follower as processes, and a replica that reads from the follower: each is killed, then the follower becomes the
 * leader.
 */
class FollowerIT {
    private static final int TRANSACTIONS = 150;

    @Test
    void aReaderOfTheFollowerGetsTheSameBytesAfterKillsAndAChangeOfLeader(@TempDir Path folder) throws Exception {
        String first = "127.0.0.1:" + Ports.free();
        String second = "127.0.0.1:" + Ports.free();
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.withoutTls()
                                .set("dumper.listen", first)
                                .set("dumper.followers", "1")
                                .set("dumper.member", "first")
                                .set("binlog.file.size", "256KiB"));
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(5).perSecond(300))) {
            NodeProcess leader = cluster.node();
            NodeProcess follower = cluster.newNode(
                    "second",
                    config -> config.set("node.role", "dumper")
                            .set("dumper.member", "second")
                            .remove("dumper.followers")
                            .set("dumper.leader", first)
                            .set("dumper.listen", second)
                            .set("dumper.read", "any"));
            leader.launch();
            follower.launch();
            leader.awaitHealthy();
            MysqlReplica replica = cluster.newReplica("replica", 4);
            attach(replica, follower);
            bank.prepare();
            bank.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);

            killFollower(cluster, leader, follower);
            killLeader(cluster, leader);
            exchange(leader, follower, second);
            Await.until(
                    () -> "the new leader to write; " + cluster.lastLines(),
                    Invariants.LIMIT,
                    () -> follower.metric("tributary_write_transactions_total") >= TRANSACTIONS);
            bank.stop();
            cluster.awaitAllWritten(follower, Invariants.LIMIT);
            replica.awaitGtids(follower.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            Await.until(
                    () -> "the new follower to have all; " + cluster.lastLines(),
                    Invariants.LIMIT,
                    () -> leader.fact("gtid.executed").equals(follower.fact("gtid.executed")));

            assertTrue(follower.terminate() && leader.terminate(), "both end on SIGTERM");
            assertSameFiles(cluster, follower);
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA), replica);
        }
    }

    private static void killFollower(LocalCluster cluster, NodeProcess leader, NodeProcess follower) throws Exception {
        follower.kill9();
        Await.until(
                () -> "the leader to report that readers wait; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.fact("readers.wait").isPresent());
        Invariants.awaitMore(cluster, TRANSACTIONS); // writing continues
        follower.launch();
        Await.until(
                () -> "readers to have all again; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_lead_followers") == 1
                        && leader.fact("readers.wait").isEmpty());
    }

    private static void killLeader(LocalCluster cluster, NodeProcess leader) throws Exception {
        leader.kill9();
        leader.start();
        Invariants.awaitMore(cluster, TRANSACTIONS);
        Await.until( // a follower that has not received the new epoch would use the same one as leader
                () -> "the follower to copy under the new epoch; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_lead_followers") == 1
                        && leader.fact("readers.wait").isEmpty());
    }

    private static void exchange(NodeProcess leader, NodeProcess follower, String second) {
        leader.kill9(); // the other one becomes the leader by configuration, and this one its follower
        follower.terminate();
        follower.config().set("node.role", "standalone").remove("dumper.leader").set("dumper.followers", "1");
        leader.config().set("node.role", "dumper").remove("dumper.followers").set("dumper.leader", second);
        follower.launch();
        leader.launch();
    }

    private static void assertSameFiles(LocalCluster cluster, NodeProcess newLeader) throws Exception {
        Path lead = Path.of(newLeader.config().get("binlog.directory"));
        RemoteReader.assertServedFrom(cluster.binlogFolder(), lead);
        assertEquals(
                RemoteReader.files(lead).size(),
                RemoteReader.files(cluster.binlogFolder()).size());
        List<Path> copies = RemoteReader.files(cluster.binlogFolder());
        for (Path copy : copies.subList(0, copies.size() - 1)) {
            assertEquals(-1, Files.mismatch(lead.resolve(copy.getFileName()), copy), copy.toString());
        }
    }

    private static void attach(MysqlReplica replica, NodeProcess node) throws Exception {
        Await.until(
                () -> "the follower to serve; " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("serves").filter(text -> text.contains(":")).isPresent());
        String listen = node.config().get("serve.listen");
        replica.attachByGtid(
                "127.0.0.1",
                Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1)),
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }
}
