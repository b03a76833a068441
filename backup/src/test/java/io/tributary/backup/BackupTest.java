package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";

    @TempDir
    Path folder;

    private final Random random = new Random(1);
    private final Local local = new Local();
    private ObjectStore store;
    private long nanos;

    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long epochMicros() {
            return nanos / 1000;
        }
    };

    /** Finished files in a folder. */
    private final class Local implements FinishedFiles {
        final List<FinishedFile> files = new ArrayList<>();
        final List<Runnable> listeners = new ArrayList<>();

        void add(int bytes) throws IOException {
            int number = files.size() + 1;
            Path path = folder.resolve(String.format("binlog.%06d", number));
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            Files.write(path, content);
            Path index = folder.resolve(path.getFileName() + ".idx");
            Files.write(index, new byte[] {1, 2, 3});
            files.add(new FinishedFile(
                    path.getFileName().toString(), path, index, bytes, number * 10L, number * 10L + 9, number));
            listeners.forEach(Runnable::run);
        }

        @Override
        public List<FinishedFile> list() {
            return List.copyOf(files);
        }

        @Override
        public void subscribe(Runnable listener) {
            listeners.add(listener);
        }

        @Override
        public void unsubscribe(Runnable listener) {
            listeners.remove(listener);
        }
    }

    @BeforeEach
    void openStore() {
        store = new DirectoryObjectStore(folder.resolve("store"));
    }

    private BackupStage stage(FailPoint failPoint) {
        BackupConfig config = new BackupConfig(Optional.empty(), "tributary", Duration.ofSeconds(10));
        return new BackupStage(local, store, config, CLUSTER, new Metrics(), clock, failPoint);
    }

    private void backUp() {
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
        }
    }

    private static void run(BackupStage stage) {
        int steps = 0;
        while (stage.doWork() > 0) {
            assertTrue(++steps < 1000);
        }
    }

    private List<String> restore(Path target) {
        List<String> told = new ArrayList<>();
        List<String> names =
                Restore.run(new Backup(store, "tributary", CLUSTER), target, entry -> told.add(entry.name()));
        assertEquals(names, told);
        return names;
    }

    private void assertRestores(String name) throws IOException {
        Path target = folder.resolve(name);
        List<String> names = restore(target);
        assertEquals(local.files.stream().map(FinishedFile::name).toList(), names);
        for (FinishedFile file : local.files) {
            assertArrayEquals(Files.readAllBytes(file.path()), Files.readAllBytes(target.resolve(file.name())));
        }
        assertEquals(
                names.stream().map(each -> "./" + each).toList(), Files.readAllLines(target.resolve("binlog.index")));
        assertTrue(Files.readString(target.resolve("auto.cnf")).contains("server-uuid=" + CLUSTER));
    }

    @Test
    void bringsBackWhatWasBackedUp() throws IOException {
        local.add(100);
        local.add(10_000_000);
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
            assertEquals(0, stage.doWork());
            local.add(5000);
            run(stage);
        }
        assertTrue(local.listeners.isEmpty());
        assertEquals(List.of(CLUSTER), Backup.clusters(store, "tributary"));
        String object = "tributary/" + CLUSTER + "/binlog.000002";
        assertEquals("20", store.metadata(object).get("first-gno"));
        assertEquals(64, store.metadata(object).get("sha256").length());
        assertEquals(Optional.of(3L), store.size(object + ".idx"));
        assertRestores("restored");
    }

    @Test
    void goesOnAfterACrashAnywhere() throws IOException {
        for (int i = 0; i < 5; i++) {
            local.add(5_000_000);
        }
        for (int i = 1; i <= 12; i++) {
            int[] left = {i % 4};
            try (BackupStage stage = stage(point -> crash(left))) {
                for (int step = 0; step < i; step++) {
                    stage.doWork();
                }
            } catch (IllegalStateException e) {
                assertTrue(e.getMessage().contains("crash"));
            }
        }
        backUp();
        assertRestores("restored");
        assertTrue(store.list("").stream().noneMatch(name -> name.contains("part")));
    }

    private static void crash(int[] left) {
        if (--left[0] == 0) {
            throw new IllegalStateException("crash");
        }
    }

    @Test
    void refusesAnObjectWithAnotherChecksum() throws IOException {
        local.add(5000);
        local.add(5000);
        backUp();
        Path object = folder.resolve("store/tributary/" + CLUSTER + "/binlog.000002");
        byte[] bytes = Files.readAllBytes(object);
        bytes[1234] ^= 1;
        Files.write(object, bytes);
        assertCorrupt("binlog.000002");
        Backup backup = new Backup(store, "tributary", CLUSTER);
        List<Manifest.Entry> files = backup.manifest().files();
        backup.verify(files.get(0));
        TributaryException failure = assertThrows(TributaryException.class, () -> backup.verify(files.get(1)));
        assertTrue(failure.getMessage().contains("binlog.000002"), failure.getMessage());
        Files.delete(object);
        assertCorrupt("binlog.000002");
    }

    private void assertCorrupt(String name) {
        Path target = folder.resolve("corrupt" + random.nextInt());
        TributaryException failure = assertThrows(TributaryException.class, () -> restore(target));
        assertEquals(ErrorCode.BACKUP_CORRUPT, failure.code());
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
        assertFalse(Files.exists(target.resolve("binlog.index")));
    }

    @Test
    void refusesADamagedManifestAtEveryByte() throws IOException {
        local.add(500);
        local.add(500);
        backUp();
        Path manifest = folder.resolve("store/tributary/" + CLUSTER + "/MANIFEST");
        byte[] bytes = Files.readAllBytes(manifest);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            assertManifestRefused(damaged);
            assertManifestRefused(java.util.Arrays.copyOf(bytes, i));
        }
    }

    private static void assertManifestRefused(byte[] bytes) {
        TributaryException failure = assertThrows(TributaryException.class, () -> Manifest.parse("MANIFEST", bytes));
        assertEquals(ErrorCode.BACKUP_CORRUPT, failure.code());
    }

    @Test
    void refusesToRestoreWhereThereIsNoBackupOrNoRoom() throws IOException {
        TributaryException none = assertThrows(TributaryException.class, () -> restore(folder.resolve("a")));
        assertEquals(ErrorCode.BACKUP_FAILED, none.code());
        local.add(10);
        backUp();
        TributaryException full = assertThrows(TributaryException.class, () -> restore(folder));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, full.code());
    }

    @Test
    void copiesAgainWhatTheStoreLost() throws IOException {
        local.add(100);
        local.add(100);
        backUp();
        store.delete("tributary/" + CLUSTER + "/binlog.000001");
        backUp();
        assertRestores("restored");
    }

    @Test
    void aStoreThatFailsIsTriedAgainAndStopsNothing() throws IOException {
        local.add(100);
        Path inTheWay = Files.createFile(folder.resolve("store"));
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
            run(stage);
            Files.delete(inTheWay);
            run(stage);
            assertTrue(store.list("").isEmpty());
            nanos += Duration.ofSeconds(10).toNanos();
            run(stage);
        }
        assertRestores("restored");
    }

    @Test
    void neverOverwritesTheBackupOfAnotherBinlog() throws IOException {
        local.add(100);
        backUp();
        byte[] before = Files.readAllBytes(folder.resolve("store/tributary/" + CLUSTER + "/binlog.000001"));
        local.files.clear();
        local.add(200);
        backUp();
        assertArrayEquals(before, Files.readAllBytes(folder.resolve("store/tributary/" + CLUSTER + "/binlog.000001")));
    }

    @Test
    void namesOfObjectsStayBelowTheFolder() {
        assertThrows(IllegalArgumentException.class, () -> store.size("../x"));
        assertThrows(IllegalArgumentException.class, () -> store.size(""));
        assertThrows(IllegalArgumentException.class, () -> store.replace("a/b.part", new byte[1]));
    }
}
