package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a rolling upgrade under load: each node of a cluster is ended and started again, one after another, from an unpacked archive and with a
 * changed configuration, the leader last. Its relays are found by membership, and a killed relay is replaced by the other.
 */
class RollingRestartIT {
    private static final long TRANSACTIONS = 50;

    @TempDir
    private Path folder;

    @TempDir(factory = ArchiveLayout.InTarget.class)
    private Path target;

    private ClusterNodes nodes;
    private LocalCluster cluster;
    private Path archive;

    @Test
    void nothingIsLostOrRepeatedWhileEachNodeIsRestartedInTurn() throws Exception {
        archive = ArchiveLayout.in(target);
        nodes = new ClusterNodes(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                2,
                3,
                config -> config.set("binlog.file.size", "1MiB").withoutTls());
        try (LocalCluster closed = nodes.cluster();
                BankWorkload bank =
                        new BankWorkload(closed.shards(), BankOptions.seeded(11).perSecond(120))) {
            cluster = closed;
            List<NodeProcess> relays = List.of(relay("r1"), relay("r2"));
            nodes.launch();
            relays.forEach(NodeProcess::launch);
            NodeProcess first = nodes.awaitServing(0, Invariants.LIMIT);
            MysqlReplica replica = nodes.attach(cluster.newReplica("replica", 4));
            bank.prepare();
            bank.start();
            awaitRelay(relays, "");

            relays.forEach(this::restart);
            nodes.tasks().forEach(this::restart);
            nodes.dumpers().stream().filter(node -> node != first).forEach(this::restartFollower);
            long epoch = ClusterNodes.epoch(first);
            String moved = command("leader", "move");
            NodeProcess second = nodes.awaitServing(epoch, Invariants.LIMIT);
            assertNotEquals(first, second, moved);
            restartFollower(first);

            NodeProcess relay = awaitRelay(relays, "");
            relay.kill9();
            awaitRelay(relays, ClusterNodes.name(relay));
            awaitMore();
            String status = command("cluster", "status");
            assertTrue(status.contains("relays s1, s2") && status.contains("pipeline"), status);
            bank.stop();

            NodeProcess leader = nodes.leader(0).orElseThrow();
            cluster.awaitAllWritten(leader, Invariants.LIMIT);
            replica.awaitGtids(leader.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            assertEquals("any", leader.config().get("dumper.read"));
            nodes.dumpers()
                    .forEach(node -> assertTrue(
                            ClusterNodes.isServing(node), "the changed key is in effect: followers serve too"));
            LogCopies.awaitSame(leader, nodes.dumpers(), Invariants.LIMIT);
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA), replica);
        }
    }

    private NodeProcess relay(String name) {
        return cluster.newNode(
                name,
                config -> config.set("node.id", name)
                        .set("node.roles", "relay")
                        .set("transmit.listen", "127.0.0.1:" + Ports.free()));
    }

    /** Waits for another relay than this one through which the shards are read. */
    private NodeProcess awaitRelay(List<NodeProcess> relays, String except) {
        List<NodeProcess> found = new ArrayList<>();
        Await.until(() -> "a relay that is used; " + cluster.lastLines(), Invariants.LIMIT, () -> {
            relays.stream()
                    .filter(relay -> !ClusterNodes.name(relay).equals(except))
                    .filter(relay -> relay.fact("streams").orElse("").startsWith("one"))
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private void restart(NodeProcess node) {
        assertTrue(node.terminate(), () -> "SIGTERM did not end it: " + node.lastLines());
        node.config().set("dumper.read", "any");
        node.from(archive).start();
        awaitMore();
    }

    /** Restarts a follower and waits until it has all data: otherwise too few Dumpers have the data that the next ones acknowledge. */
    private void restartFollower(NodeProcess dumper) {
        restart(dumper);
        Await.until(
                () -> "it to follow; " + dumper.lastLines(),
                Invariants.LIMIT,
                () -> dumper.fact("state.in.cluster").equals(Optional.of("follows")) && ClusterNodes.isServing(dumper));
    }

    private void awaitMore() {
        long enough = written() + TRANSACTIONS;
        Await.until(() -> "more transactions; " + cluster.lastLines(), Invariants.LIMIT, () -> written() >= enough);
    }

    private long written() {
        return nodes.leader(0).map(ClusterNodes::transactions).orElse(0L);
    }

    private String command(String... words) {
        List<String> all =
                new ArrayList<>(List.of(archive.resolve("bin/tributary").toString()));
        all.addAll(List.of(words));
        all.addAll(List.of("-c", cluster.node().configFile().toString()));
        MysqlTools.Outcome outcome = MysqlTools.run(all);
        assertEquals(0, outcome.status(), outcome.output());
        return outcome.output();
    }
}
