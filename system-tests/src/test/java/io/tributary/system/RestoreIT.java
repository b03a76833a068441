package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of an encrypted backup: the binlog folder is lost, or files are purged; the files are restored, and the node continues after them. */
class RestoreIT {
    @Test
    void aNodeContinuesAfterTheRestoredFiles(@TempDir Path folder) throws Exception {
        Path backup = Files.createDirectory(folder.resolve("backup"));
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef".repeat(4));
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.set("binlog.file.size", "100KiB")
                                .set("backup.directory", backup.toString())
                                .set("backup.key.file", key.toString()));
                BankWorkload bank = new BankWorkload(cluster.shards(), BankOptions.seeded(29))) {
            cluster.node().start();
            bank.prepare();
            bank.run(1500);
            cluster.awaitAllWritten(Invariants.LIMIT);
            awaitBackup(cluster, backup);
            cluster.node().kill9();
            List<Path> before = RemoteReader.files(cluster.binlogFolder());
            assertTrue(before.size() > 3, before.toString());
            Path lost = folder.resolve("lost");
            Files.move(cluster.binlogFolder(), lost);

            MysqlTools.Outcome verified = backup(cluster.node(), "verify");
            assertEquals(0, verified.status(), verified.output());
            assertTrue(verified.output().contains(", 0 of them damaged or missing"), verified.output());
            MysqlTools.Outcome restored = backup(cluster.node(), "restore");
            assertEquals(0, restored.status(), restored.output());
            assertTrue(restored.output().contains("restored " + (before.size() - 1) + " files"), restored.output());
            RemoteReader.assertServedFrom(cluster.binlogFolder(), lost);
            MysqlTools.Outcome again = backup(cluster.node(), "restore");
            assertEquals(1, again.status(), again.output());

            deleteAll(cluster.binlogFolder());
            cluster.node().start();
            assertTrue(cluster.node().logText().contains("restore from backup starts:"));
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            bank.run(500);
            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica)
                    .ofFiles();
            RemoteReader.assertServedFrom(finished(lost, before), cluster.binlogFolder());
            cluster.node().start();
            assertPurgedFilesAreServed(cluster, folder);
        }
    }

    private static void awaitBackup(LocalCluster cluster, Path backup) {
        Await.until(
                () -> "the finished files to be backed up; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> isBackedUp(RemoteReader.files(cluster.binlogFolder()), backup));
    }

    /** Whether the manifest names all files except the last one, which grows. */
    static boolean isBackedUp(List<Path> files, Path backup) {
        try (Stream<Path> clusters =
                Files.list(backup.resolve("tributary"))) { // files are added and removed in its subfolders
            Optional<Path> manifest = clusters.map(cluster -> cluster.resolve("MANIFEST"))
                    .filter(Files::exists)
                    .findFirst();
            String text = manifest.isEmpty() ? "" : Files.readString(manifest.get());
            return files.size() > 1
                    && files.subList(0, files.size() - 1).stream()
                            .allMatch(file -> text.contains("\n" + file.getFileName() + " "));
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertPurgedFilesAreServed(LocalCluster cluster, Path folder) throws Exception {
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            sql.execute("FLUSH BINARY LOGS");
        }
        awaitBackup(cluster, folder.resolve("backup"));
        Path whole = Files.createDirectory(folder.resolve("whole"));
        List<Path> files = RemoteReader.files(cluster.binlogFolder());
        for (Path file : files) {
            Files.copy(file, whole.resolve(file.getFileName()));
        }
        String last = files.get(files.size() - 1).getFileName().toString();
        int served;
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            sql.execute("PURGE BINARY LOGS TO '" + last + "'");
            List<Path> kept = RemoteReader.files(cluster.binlogFolder());
            assertEquals(last, kept.get(0).getFileName().toString());
            // if only a purged file contained the journal of definitions, a file was begun for its snapshot
            assertTrue(kept.size() <= 2, kept.toString());
            served = files.size() - 1 + kept.size();
            assertEquals(served, sql.rows("SHOW BINARY LOGS").size());
            assertEquals("", sql.text("SELECT @@gtid_purged"));
        }
        Path copies = folder.resolve("copies");
        MysqlTools.Outcome read = RemoteReader.readByPosition(cluster, copies, "binlog.000001");
        assertEquals(0, read.status(), read.output());
        assertEquals(served, RemoteReader.files(copies).size());
        for (Path file : RemoteReader.files(cluster.binlogFolder())) { // a cut may have been added while it was read
            Files.copy(file, whole.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        RemoteReader.assertServedFrom(copies, whole);
        MysqlReplica late = cluster.attachByGtid(cluster.newReplica("late", 5));
        late.awaitGtids(cluster.node().fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
        new Invariants(cluster).ofReplicas(List.of(BankWorkload.SCHEMA), late);
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    static MysqlTools.Outcome backup(NodeProcess node, String verb) {
        return MysqlTools.run(List.of(
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "backup",
                verb,
                "-c",
                node.configFile().toString()));
    }

    /** The folder without its last file, which was still growing when it was lost. */
    private static Path finished(Path folder, List<Path> files) throws Exception {
        Files.delete(folder.resolve(files.get(files.size() - 1).getFileName()));
        return folder;
    }
}
