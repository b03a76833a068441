package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.LogCopies;
import io.tributary.local.NodeProcess;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.rpc.TestAuthorities;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with two Tasks and three Dumpers that find each other in a ZooKeeper with login and TLS, and authenticate by certificates: other nodes are
 * refused, a certificate is replaced, the leader is killed, the Task that runs the pipeline is killed, and nothing is lost.
 */
class ClusterIT {
    private static final int TRANSACTIONS = 200;

    /** Long enough for a machine on which other tests run: this test counts the leaders. */
    private static final String LEASE = "8s";

    private static final String OTHER_UUID = "11111111-2222-3333-4444-555555555555";

    @TempDir
    private Path folder;

    private GrpcTlsConfig ours;
    private GrpcTlsConfig renewed;
    private GrpcTlsConfig late;
    private GrpcTlsConfig expired;
    private GrpcTlsConfig forZooKeeper;
    private ClusterNodes nodes;
    private LocalCluster cluster;

    @Test
    void theResultIsTheSameAsOfOneProcessWhenLeaderAndTaskAreKilled() throws Exception {
        makeCertificates();
        Files.createDirectory(folder.resolve("backup"));
        nodes = new ClusterNodes(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                2,
                3,
                config -> config.set("binlog.file.size", "256KiB")
                        .set("cluster.lease", LEASE)
                        .set("backup.directory", folder.resolve("backup").toString())
                        .set("backup.poll", "1s")
                        .tlsBetweenNodes(ours)
                        .withoutTls());
        try (LocalCluster closed = nodes.cluster();
                BankWorkload bank =
                        new BankWorkload(closed.shards(), BankOptions.seeded(5).perSecond(300))) {
            cluster = closed;
            nodes.secureZooKeeper(forZooKeeper, oneFile(forZooKeeper), "tributary:secret");
            NodeProcess third = nodes.dumpers().get(2);
            third.config().tlsBetweenNodes(late);
            nodes.launch(nodes.all().stream().filter(node -> node != third).toList());
            NodeProcess first = nodes.awaitServing(0, Invariants.LIMIT);
            third.launch();
            MysqlReplica replica = nodes.attach(cluster.newReplica("replica", 4));
            bank.prepare();
            bank.start();
            awaitMore(first);
            assertOtherNodesAreRefused(first);
            assertJoinsWithTheRightCertificate(third);

            TestAuthorities.replace(ours, renewed);
            first.kill9();
            NodeProcess second = nodes.awaitServing(1, Invariants.LIMIT);
            assertNotEquals(first, second);
            awaitMore(second);
            first.launch();

            NodeProcess running = awaitRunningTask();
            assertTrue(
                    running.logText().contains("nodes.pem") && running.logText().contains("files reloaded"),
                    running::lastLines);
            running.kill9();
            awaitMore(second);
            bank.stop();

            cluster.awaitAllWritten(second, Invariants.LIMIT);
            LogCopies.awaitSame(second, nodes.dumpers(), Invariants.LIMIT);
            awaitBackedUp(second);
            replica.awaitGtids(second.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            assertEquals(2, ClusterNodes.epoch(second), cluster.lastLines());
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA), replica);
        }
    }

    /** Writes certificate and key into one file, as ZooKeeper requires. */
    private Path oneFile(GrpcTlsConfig files) throws IOException {
        return Files.writeString(
                folder.resolve("zookeeper-identity.pem"),
                Files.readString(files.certificate().orElseThrow())
                        + Files.readString(files.key().orElseThrow()));
    }

    private void makeCertificates() throws Exception {
        TestAuthorities all = new TestAuthorities(folder);
        Path trusted = all.authority("ours");
        ours = all.node("nodes", "ours", trusted);
        renewed = all.node("renewed", "ours", trusted);
        forZooKeeper = all.node("zookeeper", "zookeepers", all.authority("zookeepers"));
        expired = all.node("expired", "ours", trusted, "-startdate", "-10d", "-validity", "3");
        late = all.node("late", "theirs", all.authority("theirs"));
    }

    /** Each ends with a line that states what was expected, what was found and what to do; its files do not change. */
    private void assertOtherNodesAreRefused(NodeProcess leader) throws Exception {
        NodeProcess tooLate = cluster.newNode(
                "expired",
                config -> config.set("node.id", "t3").set("node.roles", "task").tlsBetweenNodes(expired));
        NodeProcess noLogin = cluster.newNode(
                "nologin",
                config -> config.set("node.id", "t4").set("node.roles", "task").remove("cluster.zookeeper.auth"));
        NodeProcess otherCluster = cluster.newNode(
                "other",
                config -> config.set("node.id", "d4")
                        .set("cluster.id", "other")
                        .set("cluster.path", "/tributary/tributary"));
        NodeProcess otherFiles = cluster.newNode("files", config -> config.set("node.id", "d5"));
        Path files = filesOfAnotherCluster(leader, Path.of(otherFiles.config().get("binlog.directory")));
        List<String> before = content(files);
        List.of(tooLate, noLogin, otherCluster, otherFiles).forEach(NodeProcess::launch);
        BadInputIT.assertEndsWithMessage(
                tooLate, "TLS_UNUSABLE", "expired.pem", "a certificate that is valid now", "CN=expired of CN=ours");
        BadInputIT.assertEndsWithMessage(noLogin, "CLUSTER_DENIED", "cluster.zookeeper.auth", "NoAuth");
        BadInputIT.assertEndsWithMessage(
                otherCluster, "CLUSTER_MISMATCH", "cluster.id other", "give this cluster a cluster.path of its own");
        BadInputIT.assertEndsWithMessage(
                otherFiles, "CLUSTER_MISMATCH", OTHER_UUID, "give it an empty binlog.directory");
        assertEquals(before, content(files));
    }

    private static Path filesOfAnotherCluster(NodeProcess leader, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path file : RemoteReader.files(Path.of(leader.config().get("binlog.directory")))) {
            Files.copy(file, folder.resolve(file.getFileName()));
        }
        Files.writeString(folder.resolve("auto.cnf"), "[auto]\nserver-uuid=" + OTHER_UUID + "\n");
        return folder;
    }

    /** Name and digest of each binlog file. */
    private static List<String> content(Path folder) throws IOException {
        List<String> content = new ArrayList<>();
        for (Path file : RemoteReader.files(folder)) {
            content.add(file.getFileName() + " " + Arrays.hashCode(Files.readAllBytes(file)));
        }
        return content;
    }

    /** The Dumper of another CA copies nothing, logs the reason, and continues without a restart when its files are replaced. */
    private void assertJoinsWithTheRightCertificate(NodeProcess node) throws IOException {
        BadInputIT.awaitLogged(
                node,
                "STREAM_BROKEN",
                "expected a certificate of CN=theirs (grpc.tls.ca = ",
                "found CN=nodes of CN=ours",
                "grpc.tls.ca");
        Await.until(
                () -> "its status page; " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("state.in.cluster").isPresent());
        assertTrue(node.fact("copied").orElse("0:0").startsWith("0:"), node::lastLines);
        TestAuthorities.replace(late, renewed);
        Await.until(
                () -> "it to follow; " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("state.in.cluster").equals(Optional.of("follows"))
                        && !node.fact("copied").orElse("0:0").startsWith("0:"));
    }

    /** Waits, because the pipeline is built again after a change of leader. */
    private NodeProcess awaitRunningTask() {
        List<NodeProcess> running = new ArrayList<>();
        Await.until(() -> "a Task that runs the pipeline; " + cluster.lastLines(), Invariants.LIMIT, () -> {
            nodes.runningTask().ifPresent(running::add);
            return !running.isEmpty();
        });
        return running.get(0);
    }

    private void awaitMore(NodeProcess leader) {
        long enough = ClusterNodes.transactions(leader) + TRANSACTIONS;
        Await.until(
                () -> "more transactions; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> ClusterNodes.transactions(leader) >= enough);
    }

    /** Waits until a follower has backed up the finished files and the leader has received that. */
    private void awaitBackedUp(NodeProcess leader) throws Exception {
        Await.until(
                () -> "the finished files to be backed up; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> leader.metric("tributary_backup_pending") == 0);
        String own = Files.readString(
                folder.resolve("backup/tributary/" + leader.fact("server.uuid").orElseThrow() + "/MANIFEST"));
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
