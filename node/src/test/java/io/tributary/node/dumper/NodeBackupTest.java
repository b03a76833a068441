package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupTurn;
import io.tributary.backup.FinishedFile;
import io.tributary.backup.FinishedFiles;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.PurgeConfig;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.testkit.alert.AlertCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The use of the backup at the start of a node. */
class NodeBackupTest {
    private static final UUID ONE = UUID.fromString("11111111-2222-3333-4444-555555555555");
    private static final UUID OTHER = UUID.fromString("99999999-2222-3333-4444-555555555555");

    private final Metrics metrics = new Metrics();

    @TempDir
    private Path folder;

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectory(folder.resolve("backup"));
        Files.createDirectory(folder.resolve("noted"));
    }

    private NodeBackup node(String... more) {
        return node(Clock.SYSTEM, more);
    }

    private NodeBackup node(Clock clock, String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "backup.directory = " + folder.resolve("backup"), "binlog.directory = " + folder.resolve("noted")));
        lines.addAll(List.of(more));
        Config config = new ConfigReader(
                        List.of(BinlogConfig.class, PurgeConfig.class, BackupConfig.class, S3Config.class))
                .read("test", lines, Map.of());
        return new NodeBackup(config, metrics, clock, new Startup(new StopSignal()));
    }

    /** Backs up one file of a cluster. */
    private byte[] backUp(UUID cluster, String... more) throws Exception {
        byte[] content = cluster.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        Path file = Files.write(folder.resolve("binlog.000001"), content);
        FinishedFile finished =
                new FinishedFile("binlog.000001", file, folder.resolve("none"), content.length, 1, 9, 1, false);
        try (NodeBackup node = node(more);
                Stage stage = node.stages(source(List.of(finished)), BackupTurn.ALWAYS, cluster, new Metrics())
                        .get(0)) {
            while (stage.doWork() > 0) {}
        }
        return content;
    }

    private static FinishedFiles source(List<FinishedFile> files) {
        return new FinishedFiles() {
            @Override
            public List<FinishedFile> list() {
                return files;
            }

            @Override
            public void keepFrom(int number) {
                // keeps all files
            }

            @Override
            public void subscribe(Runnable listener) {
                // there is no new file
            }

            @Override
            public void unsubscribe(Runnable listener) {
                // there is no new file
            }
        };
    }

    private Path fill(String name, String... more) throws Exception {
        Path target = Files.createDirectories(folder.resolve(name));
        try (NodeBackup node = node(more)) {
            node.filling().fill(target);
        }
        return target;
    }

    @Test
    void anEmptyFolderIsFilledAndAnyOtherStaysAsItIs() throws Exception {
        assertFalse(Files.exists(fill("first").resolve("auto.cnf")), "there is no backup yet");
        byte[] content = backUp(ONE);
        Path filled = fill("second");
        assertArrayEquals(content, Files.readAllBytes(filled.resolve("binlog.000001")));
        assertTrue(Files.readString(filled.resolve("auto.cnf")).contains(ONE.toString()));
        Path used = Files.createDirectories(folder.resolve("third"));
        Files.writeString(used.resolve("auto.cnf"), "mine");
        fill("third");
        assertEquals("mine", Files.readString(used.resolve("auto.cnf")));
    }

    @Test
    void theConfigurationChoosesOneOfSeveralClusters() throws Exception {
        backUp(ONE);
        byte[] others = backUp(OTHER);
        TributaryException failure = assertThrows(TributaryException.class, () -> fill("first"));
        assertEquals(ErrorCode.BACKUP_CONFLICT, failure.code());
        assertTrue(failure.getMessage().contains("cluster.uuid"), failure.getMessage());
        Path filled = fill("second", "cluster.uuid = " + OTHER);
        assertArrayEquals(others, Files.readAllBytes(filled.resolve("binlog.000001")));
        Path third = fill("third", "cluster.uuid = 00000000-2222-3333-4444-555555555555");
        assertFalse(Files.exists(third.resolve("binlog.000001")));
    }

    @Test
    void anInterruptedRestoreContinuesAndIsRefusedWithoutABackup() throws Exception {
        backUp(ONE);
        Path cut = Files.createDirectories(folder.resolve("cut"));
        Files.writeString(cut.resolve("RESTORING"), ONE + "\n");
        Files.write(cut.resolve("binlog.000001.part"), new byte[3]);
        try (NodeBackup none = new NodeBackup(
                new ConfigReader(List.of(BinlogConfig.class, PurgeConfig.class, BackupConfig.class, S3Config.class))
                        .read("test", List.of(), Map.of()),
                new Metrics(),
                Clock.SYSTEM,
                new Startup(new StopSignal()))) {
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> none.filling().fill(cut));
            assertEquals(ErrorCode.DIRECTORY_UNUSABLE, failure.code());
        }
        fill("cut");
        assertTrue(Files.exists(cut.resolve("binlog.000001")));
        assertFalse(Files.exists(cut.resolve("RESTORING")));
    }

    /** Otherwise it would begin another binlog than the backup's. */
    @Test
    void aManifestThatNamesAMissingObjectEndsTheStart() throws Exception {
        backUp(ONE);
        Files.delete(folder.resolve("backup/tributary/" + ONE + "/binlog.000001"));
        TributaryException failure = assertThrows(TributaryException.class, () -> fill("first"));
        assertEquals(ErrorCode.BACKUP_CORRUPT, failure.code());
        assertTrue(failure.getMessage().contains("binlog.000001"), failure.getMessage());
    }

    private void assertRefused(String target, ErrorCode code, String word, String... more) throws Exception {
        TributaryException failure = assertThrows(TributaryException.class, () -> fill(target, more));
        assertEquals(code, failure.code());
        assertTrue(failure.getMessage().contains(word), failure.getMessage());
        assertFalse(Files.exists(folder.resolve(target).resolve("auto.cnf")), "no binlog was started");
    }

    /** Otherwise an empty folder would begin a binlog beside the history of another one. */
    @Test
    void filesThatHaveLostTheirManifestEndTheStart() throws Exception {
        backUp(ONE);
        Files.delete(folder.resolve("backup/tributary/" + ONE + "/MANIFEST"));
        assertRefused("first", ErrorCode.BACKUP_CONFLICT, "binlog.000001");
        assertRefused("first", ErrorCode.BACKUP_CONFLICT, "binlog.000001", "cluster.uuid = " + ONE);
    }

    @Test
    void aStoreThatIsNotMountedEndsTheStart() throws Exception {
        backUp(ONE);
        Files.move(folder.resolve("backup"), folder.resolve("away"));
        assertRefused("first", ErrorCode.DIRECTORY_UNUSABLE, "mkdir -p " + folder.resolve("backup"));
        assertFalse(Files.exists(folder.resolve("backup")));
        Files.createDirectory(folder.resolve("backup"));
        assertRefused("first", ErrorCode.BACKUP_FAILED, "noted/backup.place");
        Files.delete(folder.resolve("noted/backup.place"));
        assertFalse(Files.exists(fill("first").resolve("auto.cnf")), "the backup was given up by the operator");
    }

    /** Three old files, in a store that keeps nothing for more than a day. */
    private int keptAfter(Duration jump) throws Exception {
        AtomicLong micros = new AtomicLong(Clock.SYSTEM.epochMicros());
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return Clock.SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return micros.get();
            }
        };
        long began = micros.get();
        List<FinishedFile> files = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Path file = Files.write(folder.resolve("binlog.00000" + i), new byte[] {(byte) i});
            files.add(new FinishedFile(
                    "binlog.00000" + i, file, folder.resolve("none"), 1, i * 10L, i * 10L + 9, began, false));
        }
        metrics.close();
        NodeBackup node = node(clock, "backup.retain.age = 1d", "binlog.purge.age = 1d");
        try (node;
                Stage stage = node.stages(source(files), BackupTurn.ALWAYS, ONE, new Metrics())
                        .get(0)) {
            AlertCheck alert = new AlertCheck(folder.resolve("alert"))
                    .shows(metrics.scrape(), Duration.ofMinutes(1))
                    .fault();
            micros.addAndGet(jump.toNanos() / 1000);
            alert.shows(metrics.scrape(), Duration.ofMinutes(1));
            if (jump.isZero()) {
                alert.assertQuiet("TributaryDateJumped");
            } else {
                alert.assertFires("TributaryDateJumped");
            }
            assertEquals(jump.toHours() > 1, node.purging().age().isZero());
            while (stage.doWork() > 0) {}
            return node.manifest().get().files().size();
        }
    }

    @Test
    void nothingIsDeletedByAgeAfterTheDateHasJumped() throws Exception {
        assertEquals(3, keptAfter(Duration.ofDays(400)));
        assertEquals(3, keptAfter(Duration.ZERO));
    }

    @Test
    void aDamagedManifestOrThatOfAnotherClusterEndsTheStart() throws Exception {
        backUp(ONE);
        Path manifest = folder.resolve("backup/tributary/" + ONE + "/MANIFEST");
        String text = Files.readString(manifest);
        Files.writeString(manifest, text.replace("binlog.000001", "binlog.000002"));
        assertRefused("damaged", ErrorCode.BACKUP_CORRUPT, "MANIFEST");
        Files.writeString(manifest, text);
        Path others = Files.createDirectories(folder.resolve("backup/tributary/" + OTHER));
        Files.copy(manifest, others.resolve("MANIFEST"));
        assertRefused("other", ErrorCode.BACKUP_CORRUPT, "found that of " + ONE, "cluster.uuid = " + OTHER);
        assertEquals(text, Files.readString(manifest));
    }

    @Test
    void theStartEndsWithAnotherKeyAndContinuesWithTheRightOne() throws Exception {
        String right = "backup.key.file = " + Files.writeString(folder.resolve("right"), "ab".repeat(32));
        String wrong = "backup.key.file = " + Files.writeString(folder.resolve("wrong"), "cd".repeat(32));
        byte[] content = backUp(ONE, right);
        assertRefused("target", ErrorCode.BACKUP_REFUSED, "expected the key", wrong);
        assertRefused("target", ErrorCode.BACKUP_REFUSED, "found no key");
        assertArrayEquals(content, Files.readAllBytes(fill("target", right).resolve("binlog.000001")));
    }
}
