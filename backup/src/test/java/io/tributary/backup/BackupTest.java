package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.Sha256;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final Random random = new Random(1);
    private Metrics metrics;
    private long failures;
    private LocalFiles local;
    private ObjectStore store;
    private BackupConfig config = new BackupConfigs().config();

    @BeforeEach
    void openStore() throws IOException {
        Files.createDirectories(binlog());
        Files.createDirectories(folder.resolve("store"));
        local = new LocalFiles(folder.resolve("binlog"), 1);
        store = new DirectoryObjectStore(folder.resolve("store"));
    }

    private Path binlog() {
        return folder.resolve("binlog");
    }

    private BackupStage stage(FailPoint failPoint) {
        metrics = new Metrics();
        return new BackupStage(
                new BackupSource(local, CLUSTER, new BackupState(binlog())),
                new BackupTarget(store, () -> config, failPoint),
                BackupTurn.ALWAYS,
                metrics,
                clock);
    }

    private void backUp() {
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
            failures = failures();
        }
    }

    private long failures() {
        return Counters.value(metrics, Metric.BACKUP_FAILURES);
    }

    private static void run(BackupStage stage) {
        int steps = 0;
        while (stage.doWork() > 0) {
            assertTrue(++steps < 1000);
        }
    }

    private List<String> restore(Path target) {
        List<String> restored = new ArrayList<>();
        List<String> names = Restore.run(backup(), target, new Recorded(restored));
        assertEquals(names, restored);
        return names;
    }

    /** Records the files that were finished. */
    private record Recorded(List<String> names) implements Progress {
        @Override
        public void begins(Manifest.Entry file) {
            // only the end counts
        }

        @Override
        public void moved(long bytes) {
            assertTrue(bytes > 0);
        }

        @Override
        public void ended(Manifest.Entry file, String how) {
            names.add(file.name());
        }
    }

    private Backup backup() {
        return new Backup(store, "tributary", CLUSTER, BackupKeys.of(config));
    }

    private void assertRestores(String name) throws IOException {
        Path target = folder.resolve(name);
        List<String> names = restore(target);
        assertEquals(local.names(), names);
        for (FinishedFile file : local.files) {
            assertArrayEquals(Files.readAllBytes(file.path()), Files.readAllBytes(target.resolve(file.name())));
        }
        assertEquals(
                names.stream().map(each -> "./" + each).toList(), Files.readAllLines(target.resolve("binlog.index")));
        assertTrue(Files.readString(target.resolve("auto.cnf")).contains("server-uuid=" + CLUSTER));
    }

    @Test
    void restoresTheBackedUpFiles() throws IOException {
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
    void continuesAfterACrashAtAnyPoint() throws IOException {
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
        Backup backup = backup();
        List<Manifest.Entry> files = backup.manifest().files();
        backup.verify(files.get(0), Progress.NONE);
        TributaryException failure =
                assertThrows(TributaryException.class, () -> backup.verify(files.get(1), Progress.NONE));
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
    void refusesToRestoreWithoutABackupOrIntoAFullFolder() throws IOException {
        TributaryException none = assertThrows(TributaryException.class, () -> restore(folder.resolve("a")));
        assertEquals(ErrorCode.BACKUP_FAILED, none.code());
        local.add(10);
        backUp();
        TributaryException full = assertThrows(TributaryException.class, () -> restore(folder.resolve("binlog")));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, full.code());
    }

    @Test
    void copiesFilesAgainThatTheStoreLost() throws IOException {
        local.add(100);
        local.add(100);
        backUp();
        store.delete("tributary/" + CLUSTER + "/binlog.000001");
        backUp();
        assertRestores("restored");
    }

    @Test
    void aFailingStoreIsRetriedAndStopsNothing() throws IOException {
        local.add(100);
        Files.delete(folder.resolve("store"));
        Path inTheWay = Files.createFile(folder.resolve("store"));
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
            run(stage);
            Files.delete(inTheWay);
            Files.createDirectory(inTheWay);
            run(stage);
            assertTrue(store.list("").isEmpty());
            clock.pass(Duration.ofSeconds(10));
            run(stage);
        }
        assertRestores("restored");
    }

    @Test
    void anUnreadableLocalFileIsRetriedAndStopsNothing() throws IOException {
        local.add(1000);
        try (BackupStage stage = stage(FailPoint.NONE)) {
            for (ErrorCode code : List.of(ErrorCode.IO_FAILED, ErrorCode.BINLOG_CORRUPT)) {
                local.trouble = Optional.of(new TributaryException(code, "binlog.000001.idx: too many open files"));
                assertEquals(0, stage.doWork());
                clock.pass(config.retryMax());
            }
            assertEquals(2, failures());
            local.trouble = Optional.empty();
            run(stage);
        }
        assertRestores("restored");
    }

    private void assertNothingChanges(Runnable work) throws IOException {
        Map<String, String> before = content();
        work.run();
        assertEquals(before, content());
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        for (String name : store.list("")) {
            content.put(
                    name, Sha256.of(Files.readAllBytes(folder.resolve("store").resolve(name))));
        }
        return content;
    }

    @Test
    void neverOverwritesTheBackupOfAnotherBinlog() throws IOException {
        local.add(100);
        backUp();
        local.files.clear();
        local.add(200);
        assertNothingChanges(this::backUp);
        assertEquals(1, failures);
    }

    /**
     * Two nodes with the same UUID and the same start: the first file is the same, the second differs, and neither node has added it to the manifest.
     */
    @Test
    void neverOverwritesAnotherNodesFileThatIsNotInTheManifest() throws IOException {
        local.add(100);
        backUp();
        local.add(100);
        int[] left = {1};
        assertThrows(IllegalStateException.class, () -> run(stage(point -> crash(left))));
        local.files.remove(1);
        local.add(100);
        assertNothingChanges(this::backUp);
        assertEquals(1, failures);
    }

    @Test
    void aNodeReadsTheManifestAgainAfterAnotherNodeChangedIt() throws IOException {
        local.add(100);
        try (BackupStage slow = stage(FailPoint.NONE);
                BackupStage other = stage(FailPoint.NONE)) {
            run(slow);
            local.add(100);
            run(other);
            assertNothingChanges(() -> run(slow));
            clock.pass(Duration.ofSeconds(10));
            run(slow);
            assertEquals(2, slow.backedUp());
        }
        assertRestores("restored");
    }

    @Test
    void refusesTheManifestOfAnotherCluster() throws IOException {
        local.add(100);
        backUp();
        String mine = "tributary/" + CLUSTER + "/MANIFEST";
        byte[] others = new Manifest("99999999-2222-3333-4444-555555555555", List.of()).bytes();
        store.replace(mine, others);
        assertNothingChanges(this::backUp);
        assertRestoreRefused(ErrorCode.BACKUP_CORRUPT, "99999999");
    }

    @Test
    void refusesAManifestWithAGap() throws IOException {
        local.add(100);
        local.add(100);
        local.add(100);
        backUp();
        Manifest whole = backup().manifest();
        store.replace(
                "tributary/" + CLUSTER + "/MANIFEST",
                new Manifest(
                                CLUSTER,
                                List.of(whole.files().get(0), whole.files().get(2)))
                        .bytes());
        assertRestoreRefused(ErrorCode.BACKUP_CORRUPT, "expected transaction 20 after binlog.000001");
    }

    @Test
    void pauseGrowsWithEachFailure() throws IOException {
        local.add(100);
        Files.delete(folder.resolve("store"));
        try (BackupStage stage = stage(FailPoint.NONE)) {
            List<Integer> seconds = new ArrayList<>();
            int before = 0;
            for (int second = 0; second < 300; second++) {
                stage.doWork();
                stage.doWork();
                long now = failures();
                if (now > before) {
                    seconds.add(second);
                    before = (int) now;
                }
                clock.pass(Duration.ofSeconds(1));
            }
            assertEquals(List.of(0, 10, 30, 70, 130, 190, 250), seconds);
        }
    }

    @Test
    void sendsNoFasterThanTheLimit() throws IOException {
        local.add(32 << 20);
        config = new BackupConfigs().throttle(10 << 20).config();
        long tenths = 0;
        try (BackupStage stage = stage(FailPoint.NONE)) {
            run(stage);
            while (stage.backedUp() == 0) {
                clock.pass(Duration.ofMillis(100));
                tenths++;
                run(stage);
                assertTrue(tenths < 200);
            }
        }
        assertTrue(tenths >= 30 && tenths <= 34, tenths + " tenths of a second");
    }

    @Test
    void anInterruptedRestoreContinuesAndKeepsItsFiles() throws IOException {
        local.add(100);
        local.add(9 << 20);
        local.add(100);
        backUp();
        Path target = folder.resolve("restored");
        for (int at : new int[] {1, 2, 3}) {
            long[] left = {at};
            assertThrows(
                    IllegalStateException.class,
                    () -> Restore.run(backup(), target, new Progress() {
                        @Override
                        public void begins(Manifest.Entry file) {
                            // bytes count
                        }

                        @Override
                        public void moved(long bytes) {
                            crash(new int[] {(int) left[0]--});
                        }

                        @Override
                        public void ended(Manifest.Entry file, String how) {
                            // bytes count
                        }
                    }));
            assertTrue(Restore.isUnfinished(target));
        }
        assertTrue(Files.exists(target.resolve("binlog.000002.part")));
        Files.delete(folder.resolve("store/tributary/" + CLUSTER + "/binlog.000003"));
        assertThrows(TributaryException.class, () -> restore(target));
        backUp();
        Path second = folder.resolve("store/tributary/" + CLUSTER + "/binlog.000002");
        byte[] bytes = Files.readAllBytes(second);
        bytes[5] ^= 1;
        Files.write(second, bytes); // an existing file is not read again from the store
        assertRestores("restored");
        assertFalse(Restore.isUnfinished(target));
    }

    @Test
    void aContinuedRestoreFindsDamageInItsFiles() throws IOException {
        local.add(100);
        local.add(100);
        backUp();
        Path target = folder.resolve("restored");
        Path second = folder.resolve("store/tributary/" + CLUSTER + "/binlog.000002");
        byte[] kept = Files.readAllBytes(second);
        Files.delete(second);
        assertThrows(TributaryException.class, () -> restore(target));
        Files.write(second, kept);
        byte[] bytes = Files.readAllBytes(target.resolve("binlog.000001"));
        bytes[50] ^= 1;
        Files.write(target.resolve("binlog.000001"), bytes);
        assertThrows(TributaryException.class, () -> restore(target));
        assertRestores("restored");
    }

    private String first() {
        return backup().manifest().files().get(0).name();
    }

    @Test
    void keepsTheConfiguredAmountAndAlwaysTheNewest() throws IOException {
        for (int i = 0; i < 6; i++) {
            local.add(1000);
        }
        backUp();
        config = new BackupConfigs().retain(Duration.ZERO, 3500).config();
        assertEquals(3, backup().prune(config, 0, true).size());
        assertEquals("binlog.000001", first());
        backUp();
        assertEquals("binlog.000004", first());
        assertEquals(
                6,
                store.list("").stream()
                        .filter(name -> !name.endsWith("MANIFEST"))
                        .count());
        config = new BackupConfigs().retain(Duration.ofSeconds(10), 0).config();
        clock.pass(Duration.ofMillis(15_001)); // the fifth began at 5 s: the fourth has no younger transaction
        backUp();
        assertEquals("binlog.000005", first());
        clock.pass(Duration.ofDays(100));
        assertNothingChanges(() -> assertEquals(
                1, backup().prune(config, clock.epochMicros(), true).size()));
        assertEquals(1, backup().prune(config, clock.epochMicros(), false).size());
        assertEquals("binlog.000006", first());
        config = new BackupConfigs().retain(Duration.ofNanos(1), 1).config();
        backUp();
        assertEquals("binlog.000006", first());
        assertEquals(
                2,
                store.list("").stream()
                        .filter(name -> !name.endsWith("MANIFEST"))
                        .count());
        local.add(1000);
        backUp();
        assertEquals("binlog.000007", first());
    }

    @Test
    void remainsOfARemovedFileAfterACrashAreDeletedLater() throws IOException {
        for (int i = 0; i < 3; i++) {
            local.add(1000);
        }
        backUp();
        Manifest manifest = backup().manifest();
        store.replace(
                "tributary/" + CLUSTER + "/MANIFEST",
                manifest.without(manifest.files().subList(0, 1)).bytes()); // and then a crash
        backUp();
        assertEquals(
                List.of("binlog.000002", "binlog.000002.idx", "binlog.000003", "binlog.000003.idx"),
                store.list("").stream()
                        .map(name -> name.substring(name.lastIndexOf('/') + 1))
                        .filter(name -> !name.equals("MANIFEST"))
                        .toList());
    }

    private Path object(String name) {
        return folder.resolve("store/tributary/" + CLUSTER).resolve(name);
    }

    /** The manifest was moved away, and the oldest files are purged on this node: only the backup has them. */
    @Test
    void filesWithoutAManifestAreNotTouchedAndNoNewBackupStarts() throws IOException {
        for (int i = 0; i < 3; i++) {
            local.add(100);
        }
        backUp();
        local.files.remove(0);
        Path moved = folder.resolve("moved");
        Files.move(object("MANIFEST"), moved);
        Files.delete(binlog().resolve(BackupState.NOTE)); // as on another node
        local.add(100);
        try (BackupStage stage = stage(FailPoint.NONE)) {
            local.needed = 9;
            assertNothingChanges(() -> run(stage));
            assertEquals(1, failures());
            assertEquals(0, local.needed, "nothing may be purged");
            assertEquals(0, stage.backedUp());
            Files.move(moved, object("MANIFEST"));
            clock.pass(Duration.ofSeconds(10));
            run(stage);
            assertEquals(4, stage.backedUp());
        }
        assertEquals(4, backup().manifest().files().size());
    }

    @Test
    void filesWithoutAManifestAreReportedByARestore() throws IOException {
        local.add(100);
        backUp();
        Files.delete(object("MANIFEST"));
        assertEquals(List.of(CLUSTER), Backup.clusters(store, "tributary"));
        assertRestoreRefused(ErrorCode.BACKUP_CONFLICT, "binlog.000001.idx");
    }

    /** Its disk is not mounted: the folder below is empty. */
    @Test
    void aMissingBackupIsNotStartedAgain() throws IOException {
        local.add(100);
        backUp();
        Path away = Files.move(folder.resolve("store"), folder.resolve("away"));
        Files.createDirectory(folder.resolve("store"));
        local.add(100);
        try (BackupStage stage = stage(FailPoint.NONE)) {
            local.needed = 9;
            assertNothingChanges(() -> run(stage));
            assertEquals(1, failures());
            assertEquals(0, local.needed, "nothing may be purged");
            Files.delete(folder.resolve("store"));
            clock.pass(Duration.ofSeconds(10));
            run(stage);
            assertFalse(Files.exists(folder.resolve("store")), "a node never creates it");
            assertEquals(2, failures());
            Files.move(away, folder.resolve("store"));
            clock.pass(Duration.ofSeconds(20));
            run(stage);
        }
        assertRestores("restored");
    }

    @Test
    void aBackupThatWasMovedAwayIsStartedAgainWhenTheNoteIsDeleted() throws IOException {
        local.add(100);
        backUp();
        Files.move(folder.resolve("store"), folder.resolve("away"));
        Files.createDirectory(folder.resolve("store"));
        backUp();
        assertEquals(1, failures);
        Files.delete(binlog().resolve(BackupState.NOTE));
        backUp();
        assertRestores("restored");
    }

    @Test
    void aBackupContinuesAfterACrashBeforeItsFirstFileIsInTheManifest() throws IOException {
        local.add(100);
        int[] left = {1};
        assertThrows(IllegalStateException.class, () -> run(stage(point -> crash(left))));
        backUp();
        assertEquals(0, failures);
        assertRestores("restored");
    }

    @Test
    void namesOfObjectsStayBelowTheFolder() {
        assertThrows(IllegalArgumentException.class, () -> store.size("../x"));
        assertThrows(IllegalArgumentException.class, () -> store.size(""));
        assertThrows(IllegalArgumentException.class, () -> store.replace("a/b.part", new byte[1]));
    }

    private void assertRestoreRefused(ErrorCode code, String part) {
        TributaryException failure = assertThrows(TributaryException.class, () -> restore(folder.resolve("restored")));
        assertEquals(code, failure.code());
        assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }

    @Test
    void aCopyOfAFileIsThereOnlyWhenItIsComplete() throws IOException {
        local.add(3 << 20);
        backUp();
        Backup backup = backup();
        Manifest.Entry file = backup.manifest().files().get(0);
        Path copy = folder.resolve("copy");
        Progress ended = new Progress() {
            @Override
            public void begins(Manifest.Entry begun) {
                // continues
            }

            @Override
            public void moved(long bytes) {
                throw new IllegalStateException("ended after " + bytes);
            }

            @Override
            public void ended(Manifest.Entry done, String how) {
                throw new AssertionError("not reached");
            }
        };
        assertThrows(IllegalStateException.class, () -> backup.copy(file, copy, ended));
        assertFalse(Files.exists(copy));
        backup.copy(file, copy, Progress.NONE);
        assertArrayEquals(Files.readAllBytes(binlog().resolve(file.name())), Files.readAllBytes(copy));
        Path index = folder.resolve("index");
        assertTrue(backup.copyIndex(file, index));
        assertArrayEquals(Files.readAllBytes(binlog().resolve(file.name() + ".idx")), Files.readAllBytes(index));
    }
}
