package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two Tasks and three Dumpers that find each other in ZooKeeper: the leader dies, the Task that runs the pipeline dies, and nothing is lost. */
class ClusterIT {
    private static final int TRANSACTIONS = 200;
    private static final int TICK_MILLIS = 200;

    private final List<NodeProcess> dumpers = new ArrayList<>();

    @Test
    void theResultIsThatOfOneProcessThoughLeaderAndTaskAreKilled(@TempDir Path folder) throws Exception {
        try (TestingServer zookeeper = new TestingServer(
                        new InstanceSpec(folder.resolve("zk").toFile(), -1, -1, -1, true, -1, TICK_MILLIS, -1), true);
                LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> dumper(
                                config.set("cluster.zookeeper", zookeeper.getConnectString())
                                        .set("cluster.dumpers", "3")
                                        .set("dumper.ack", "majority")
                                        .set("binlog.file.size", "256KiB")
                                        .set(
                                                "backup.directory",
                                                folder.resolve("backup").toString())
                                        .set("backup.look", "1s")
                                        .withoutTls(),
                                "d1"));
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(5).perSecond(300))) {
            List<NodeProcess> tasks = List.of(task(cluster, "t1"), task(cluster, "t2"));
            dumpers.add(cluster.node());
            dumpers.add(cluster.newNode("d2", config -> dumper(config, "d2")));
            dumpers.add(cluster.newNode("d3", config -> dumper(config, "d3")));
            tasks.forEach(NodeProcess::launch);
            dumpers.forEach(NodeProcess::launch);
            NodeProcess first = awaitLeader(cluster, 0);
            MysqlReplica replica = cluster.newReplica("replica", 4);
            attach(replica, first);
            bank.prepare();
            bank.start();
            awaitMore(cluster, first);

            first.kill9();
            NodeProcess second = awaitLeader(cluster, 1);
            assertNotEquals(first, second);
            attach(replica, second);
            awaitMore(cluster, second);
            first.launch();

            NodeProcess running = tasks.stream()
                    .filter(task -> task.fact("streams").orElse("").startsWith("one"))
                    .findFirst()
                    .orElseThrow();
            running.kill9();
            awaitMore(cluster, second);
            bank.stop();

            cluster.awaitAllWritten(second, Invariants.LIMIT);
            awaitEqualFiles(cluster, second);
            awaitBackedUp(cluster, second, folder.resolve("backup"));
            replica.awaitGtids(second.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            assertEquals("2", second.fact("epoch").orElseThrow(), cluster.lastLines());
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA), replica);
        }
    }

    private static NodeConfig dumper(NodeConfig config, String name) {
        return config.set("node.id", name)
                .set("node.roles", "dumper")
                .set("dumper.listen", "127.0.0.1:" + Ports.free());
    }

    private static NodeProcess task(LocalCluster cluster, String name) {
        return cluster.newNode(
                name,
                config -> config.set("node.id", name)
                        .set("node.roles", "task")
                        .set("transmit.listen", "127.0.0.1:" + Ports.free()));
    }

    /** One that leads under a newer epoch, and serves readers. */
    private NodeProcess awaitLeader(LocalCluster cluster, long epoch) {
        List<NodeProcess> found = new ArrayList<>();
        Await.until(() -> "a leader that serves; " + cluster.lastLines(), Invariants.LIMIT, () -> {
            dumpers.stream()
                    .filter(node -> node.fact("state.in.cluster").equals(Optional.of("leads")))
                    .filter(node -> Long.parseLong(node.fact("epoch").orElse("0")) > epoch)
                    .filter(node ->
                            node.fact("serves").filter(at -> at.contains(":")).isPresent())
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private static void attach(MysqlReplica replica, NodeProcess leader) throws Exception {
        String serve = leader.config().get("serve.listen");
        int port = Integer.parseInt(serve.substring(serve.indexOf(':') + 1));
        replica.attachByGtid("127.0.0.1", port, LocalCluster.READER.name(), LocalCluster.READER.password());
    }

    private static void awaitMore(LocalCluster cluster, NodeProcess leader) {
        double enough = leader.metric("tributary_write_transactions_total") + TRANSACTIONS;
        Await.until(
                () -> "more transactions; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_write_transactions_total") >= enough);
    }

    /** The same bytes on every Dumper, up to where readers may read (I8). */
    private void awaitEqualFiles(LocalCluster cluster, NodeProcess leader) throws IOException {
        String[] end = leader.fact("binlog").orElseThrow().split(":", -1);
        Path own = Path.of(leader.config().get("binlog.directory"));
        for (NodeProcess node : dumpers) {
            Path other = Path.of(node.config().get("binlog.directory"));
            Await.until(
                    () -> "the files of " + other + " to be those of the leader up to " + end[0] + ":" + end[1] + "; "
                            + cluster.lastLines(),
                    Invariants.LIMIT,
                    () -> hasSameFiles(own, other, end[0], Long.parseLong(end[1])));
        }
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

    private static boolean hasSameFiles(Path leader, Path other, String last, long length) {
        try (Stream<Path> files = Files.list(leader)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches("binlog\\.\\d+"))
                    .toList()) {
                String name = file.getFileName().toString();
                Path copy = other.resolve(name);
                long wanted = name.equals(last) ? length : name.compareTo(last) < 0 ? Files.size(file) : 0;
                if (wanted > 0 && (!Files.exists(copy) || !isSame(file, copy, wanted))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isSame(Path one, Path other, long length) throws IOException {
        long differs = Files.mismatch(one, other);
        return differs < 0 || differs >= length;
    }
}
