package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ObjectStoreServer;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with three Dumpers and an object store. Another Dumper continues the backup when one ends or has no permission. A missing object is named
 * by each command and reader that needs it. Dumpers with empty disks wait for a store that does not answer. After an operator's command the cluster
 * continues without lost Dumpers.
 */
class BackupStoreIT {
    @TempDir
    private Path folder;

    private ObjectStoreServer store;
    private TcpProxy proxy;
    private ClusterNodes nodes;
    private LocalCluster cluster;
    private String secretKey;
    private int rows;

    @Test
    void everyFailureOfTheBackupIsReportedAndNothingIsLost() throws Exception {
        try (ObjectStoreServer closedStore = new ObjectStoreServer(folder.resolve("store"));
                TcpProxy closedProxy = TcpProxy.to(closedStore.port())) {
            store = closedStore;
            proxy = closedProxy;
            nodes = new ClusterNodes(
                    folder,
                    List.of(MysqlOptions.named("s1")),
                    1,
                    3,
                    config -> store.backsUp(config.withoutTls(), "127.0.0.1:" + proxy.port())
                            .set("backup.s3.timeout", "2s")
                            .set("backup.retry", "100ms")
                            .set("backup.retry.max", "500ms")
                            .set("backup.poll", "500ms"));
            try (LocalCluster closed = nodes.cluster()) {
                cluster = closed;
                secretKey =
                        cluster.config().get("backup.s3.secret-key"); // before a Dumper is configured with a wrong one
                cluster.shards().get(0).execute("CREATE DATABASE kept");
                cluster.shards().get(0).execute("CREATE TABLE kept.row (id INT PRIMARY KEY)");
                nodes.launch();
                NodeProcess leader = nodes.awaitServing(0, Invariants.LIMIT);
                assertAnotherDumperContinuesTheBackup(leader);
                assertAMissingObjectIsNamed(leader);
                NodeProcess next = assertEmptyDisksWaitForTheStore();
                assertReloads(next);
                assertContinuesWithoutLostDumpers(next);
            }
        }
    }

    private void assertAnotherDumperContinuesTheBackup(NodeProcess leader) throws Exception {
        List<NodeProcess> followers = followersOf(leader);
        finishAFile(leader);
        NodeProcess first = followers.get(0);
        assertTrue(first.terminate());
        finishAFile(leader);

        first.config().set("backup.s3.secret-key", "wrong");
        first.start();
        awaitFollowing(first);
        Map<String, Integer> before = objects();
        followers.get(1).kill9();
        BadInputIT.awaitLogged(
                first,
                "BACKUP_REFUSED",
                "s3://binlogs/tributary/",
                "/MANIFEST: expected to read it",
                "found no permission",
                "Correct the bucket, the rights or the key");
        finishAFile(leader);
        assertTrue(first.isHealthy() && first.fact("state.in.cluster").equals(Optional.of("follows")));
        before.forEach((name, hash) -> assertEquals(hash, objects().get(name), name + " was overwritten"));
        MysqlTools.Outcome verified = tributary(leader, "backup", "verify");
        assertEquals(0, verified.status(), verified.output());
    }

    private List<NodeProcess> followersOf(NodeProcess leader) {
        return nodes.dumpers().stream().filter(node -> node != leader).toList();
    }

    private void assertAMissingObjectIsNamed(NodeProcess leader) throws Exception {
        try (Sql sql = readerSession(leader)) {
            List<Path> files = RemoteReader.files(binlog(leader));
            sql.execute("PURGE BINARY LOGS TO '" + files.get(files.size() - 1).getFileName() + "'");
        }
        Path object = object("binlog.000001");
        Path aside = Files.move(object, folder.resolve("aside"));

        MysqlTools.Outcome verified = tributary(leader, "backup", "verify");
        assertEquals(1, verified.status(), verified.output());
        assertContains(verified, "BACKUP_CORRUPT", "binlog.000001", "1 of them damaged or missing");
        MysqlTools.Outcome read = MysqlTools.run(MysqlTools.cached()
                .remoteBinlog(
                        ClusterNodes.servePort(leader),
                        LocalCluster.READER.name(),
                        LocalCluster.READER.password(),
                        "--result-file=" + folder + "/",
                        "--raw",
                        "--to-last-log",
                        "binlog.000001"));
        assertTrue(read.status() != 0, read.output());
        assertContains(read, "binlog.000001", "expected the object in the manifest", "found none");
        assertTrue(leader.isHealthy(), leader::lastLines);

        nodes.all().forEach(NodeProcess::close);
        useEmptyFolders();
        MysqlTools.Outcome restored = tributary(leader, "backup", "restore");
        assertEquals(1, restored.status(), restored.output());
        assertContains(restored, "BACKUP_CORRUPT", "binlog.000001");
        NodeProcess second =
                followersOf(leader).get(0).launch(); // the log of the leader contains the failure of the reader
        BadInputIT.assertEndsWithMessage(second, "BACKUP_CORRUPT", "binlog.000001", "expected");
        assertFalse(Files.exists(binlog(second).resolve("auto.cnf")), "expected no new binlog");
        Files.move(aside, object);
    }

    /** Configures all nodes as if all machines were lost: no state in ZooKeeper, no files on the disks. */
    private void useEmptyFolders() {
        for (NodeProcess node : nodes.all()) {
            node.config()
                    .set("cluster.path", "/tributary/again")
                    .set(
                            "binlog.directory",
                            folder.resolve("again-" + node.name()).toString())
                    .set("backup.s3.secret-key", secretKey);
            node.config().write(node.configFile());
        }
    }

    private NodeProcess assertEmptyDisksWaitForTheStore() throws Exception {
        proxy.silence(Direction.TO_CLIENT).cut();
        nodes.all().forEach(NodeProcess::launch);
        for (NodeProcess dumper : nodes.dumpers()) {
            Await.until(
                    () -> "the reason why it waits; " + dumper.lastLines(),
                    Invariants.LIMIT,
                    () -> dumper.fact("state").orElse("").contains("after: BACKUP_FAILED"));
            assertFalse(dumper.isHealthy());
        }
        MysqlTools.Outcome status = tributary(nodes.dumpers().get(0), "cluster", "status");
        assertEquals(1, status.status(), status.output());
        assertContains(status, "no leader");

        proxy.pass().cut();
        NodeProcess leader = nodes.awaitServing(0, Invariants.LIMIT);
        insert();
        cluster.awaitAllWritten(leader, Invariants.LIMIT);
        for (NodeProcess dumper : nodes.dumpers()) {
            assertTrue(
                    dumper.logText().contains("file restored: file=binlog.000001")
                            || dumper.logText().contains("copying starts: log=\"tributary"),
                    dumper::lastLines);
        }
        assertTrue(leader.logText().contains("file restored: file=binlog.000001"), leader::lastLines);
        Path served = binlog(leader);
        assertEquals(-1, Files.mismatch(object("binlog.000001"), served.resolve("binlog.000001")));
        return leader;
    }

    private void assertReloads(NodeProcess node) {
        node.config().set("backup.throttle", "20MiB").write(node.configFile());
        MysqlTools.Outcome applied = tributary(node, "reload");
        assertEquals(0, applied.status(), applied.output());
        assertContains(applied, "backup.throttle");
        node.config().set("binlog.file.size", "2MiB").write(node.configFile());
        MysqlTools.Outcome needsRestart = tributary(node, "reload");
        assertEquals(1, needsRestart.status(), needsRestart.output());
        assertContains(needsRestart, "binlog.file.size");
    }

    private void assertContinuesWithoutLostDumpers(NodeProcess leader) {
        List<NodeProcess> followers = followersOf(leader);
        followers.forEach(this::awaitFollowing);
        NodeProcess left = followers.get(0);
        long epoch = ClusterNodes.epoch(leader);
        List<String> lost = List.of(leader.name(), followers.get(1).name());
        MysqlTools.Outcome running = tributary(left, "cluster", "forget", lost.get(1));
        assertEquals(1, running.status(), running.output());
        assertContains(running, "CLUSTER_MISMATCH", "found it running");

        followers.get(1).kill9();
        leader.kill9();
        Await.until(
                () -> "it to be a candidate; " + left.lastLines(),
                Invariants.LIMIT,
                () -> left.fact("state.in.cluster").orElse("").equals("is a candidate"));
        MysqlTools.Outcome first = forget(left, lost.get(0));
        assertEquals(0, first.status(), first.output());
        MysqlTools.Outcome second = forget(left, lost.get(1));
        assertEquals(1, second.status(), second.output());
        assertContains(second, "--accept-loss", "may be on " + lost.get(1) + " alone");
        MysqlTools.Outcome accepted = forget(left, lost.get(1), "--accept-loss");
        assertEquals(0, accepted.status(), accepted.output());
        Await.until(
                () -> "it to lead; " + left.lastLines(),
                Invariants.LIMIT,
                () -> ClusterNodes.isLeading(left) && ClusterNodes.epoch(left) > epoch);
    }

    /** A session of a killed node ends a moment later: until then the node counts as running, or as leader. */
    private MysqlTools.Outcome forget(NodeProcess asked, String... words) {
        List<String> all = new ArrayList<>(List.of("cluster", "forget"));
        all.addAll(List.of(words));
        List<MysqlTools.Outcome> outcomes = new ArrayList<>();
        Await.until(() -> "the session to end: " + outcomes, Invariants.LIMIT, () -> {
            MysqlTools.Outcome outcome = tributary(asked, all.toArray(String[]::new));
            outcomes.add(outcome);
            return !outcome.output().contains("found it running")
                    && !outcome.output().contains("found a leader");
        });
        return outcomes.get(outcomes.size() - 1);
    }

    // ---- rows and files

    private void insert() throws Exception {
        cluster.shards().get(0).execute("INSERT INTO kept.row VALUES (" + ++rows + ")");
    }

    /** Writes a row, begins a new file, and waits until the finished files are in the backup. */
    private void finishAFile(NodeProcess leader) throws Exception {
        insert();
        cluster.awaitAllWritten(leader, Invariants.LIMIT);
        try (Sql sql = readerSession(leader)) {
            sql.execute("FLUSH BINARY LOGS");
        }
        Await.until(
                () -> "the finished files to be backed up; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> RestoreIT.isBackedUp(RemoteReader.files(binlog(leader)), store.bucket()));
    }

    private static Sql readerSession(NodeProcess node) throws Exception {
        return Sql.open(ClusterNodes.servePort(node), LocalCluster.READER.name(), LocalCluster.READER.password());
    }

    private void awaitFollowing(NodeProcess node) {
        Await.until(
                () -> node.name() + " to follow; " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("state.in.cluster").orElse("").equals("follows")
                        && node.fact("behind.bytes").orElse("").equals("0")
                        && node.fact("gtid.executed").isPresent());
    }

    private static Path binlog(NodeProcess node) {
        return Path.of(node.config().get("binlog.directory"));
    }

    private Path object(String name) throws Exception {
        try (Stream<Path> all = Files.walk(store.bucket())) {
            return all.filter(path -> path.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Hashes of the objects of the backed up files, by name. */
    private Map<String, Integer> objects() {
        Map<String, Integer> hashes = new TreeMap<>();
        try (Stream<Path> all = Files.walk(store.bucket())) {
            for (Path path : all.toList()) {
                if (path.getFileName().toString().matches("binlog\\.\\d+")) {
                    hashes.put(path.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(path)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return hashes;
    }

    private static void assertContains(MysqlTools.Outcome outcome, String... parts) {
        for (String part : parts) {
            assertTrue(outcome.output().contains(part), () -> part + " in: " + outcome.output());
        }
        assertFalse(outcome.output().contains("\tat "), () -> "no stack trace in: " + outcome.output());
    }

    private static MysqlTools.Outcome tributary(NodeProcess node, String... words) {
        List<String> command = new ArrayList<>(
                List.of(NodeProcess.projectHome().resolve("bin/tributary").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("-c", node.configFile().toString()));
        return MysqlTools.run(command);
    }
}
