package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a backup that readers request. */
class ArchiveStageTest {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";
    private static final int SIZE = 5_000_000;

    @TempDir
    private Path folder;

    private BackupState known;
    private final List<String> notified = new ArrayList<>();
    private LocalFiles local;
    private ObjectStore store;
    private ArchiveStage stage;

    /** Six files, and room for two. */
    @BeforeEach
    void backUp() throws IOException {
        local = new LocalFiles(folder.resolve("binlog"), 4);
        known = new BackupState(folder);
        store = new DirectoryObjectStore(Files.createDirectory(folder.resolve("store")));
        for (int i = 0; i < 6; i++) {
            local.add(SIZE);
        }
        BackupConfig config = new BackupConfigs().config();
        try (BackupStage backup = new BackupStage(
                new BackupSource(local, CLUSTER, known),
                BackupTarget.of(store, () -> config),
                BackupTurn.ALWAYS,
                new Metrics(),
                new ManualClock())) {
            while (backup.doWork() > 0) {}
        }
        assertEquals(7, local.needed);
        Backup backup = new Backup(store, "tributary", CLUSTER, BackupKeys.NONE);
        stage = new ArchiveStage(backup, known, folder.resolve("archive"), 2 * SIZE, new Metrics());
    }

    @AfterEach
    void end() {
        stage.close();
    }

    private ArchiveStage.Loan borrow(int number) {
        String name = name(number);
        return stage.borrow(name, () -> notified.add(name)).orElseThrow();
    }

    private static String name(int number) {
        return String.format("binlog.%06d", number);
    }

    private void run() {
        for (int i = 0; i < 100; i++) {
            stage.doWork();
        }
    }

    private List<String> onDisk() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("archive"))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void assertWhole(ArchiveStage.Loan loan, int number) throws IOException {
        assertEquals(
                -1,
                Files.mismatch(local.files.get(number - 1).path(), loan.path().orElseThrow()));
    }

    @Test
    void copiesAFileAndTheNextOneAndNotifiesTheReader() throws IOException {
        try (ArchiveStage.Loan loan = borrow(2)) {
            assertTrue(loan.path().isEmpty());
            assertEquals(List.of(), notified);
            run();
            assertEquals(List.of(name(2)), notified);
            assertWhole(loan, 2);
            assertEquals(List.of(name(2), name(3)), onDisk());
        }
        notified.clear();
        try (ArchiveStage.Loan next = borrow(3)) {
            assertEquals(List.of(name(3)), notified, "it is there already");
            assertWhole(next, 3);
        }
    }

    @Test
    void neverHoldsMoreThanTheLimitAndServesWaitingReaders() throws IOException {
        ArchiveStage.Loan first = borrow(1);
        ArchiveStage.Loan second = borrow(5);
        ArchiveStage.Loan third = borrow(3);
        run();
        assertEquals(List.of(name(1), name(5)), onDisk());
        assertTrue(third.path().isEmpty());
        first.close();
        run();
        assertWhole(third, 3);
        assertWhole(second, 5);
        assertEquals(List.of(name(3), name(5)), onDisk());
        second.close();
        third.close();
        third.close();
        run();
        assertEquals(2, onDisk().size(), "no more files are copied while no reader reads");
    }

    /** A file that is copied ahead for one reader must not evict, again and again, a file that was copied ahead for another reader. */
    @Test
    void readersAtDistantFilesDoNotEvictEachOthersNextFile() throws IOException {
        try (ArchiveStage.Loan one = borrow(1)) {
            run();
            assertEquals(List.of(name(1), name(2)), onDisk());
            try (ArchiveStage.Loan other = borrow(5)) {
                run();
                assertWhole(other, 5);
                assertWhole(one, 1);
                assertEquals(List.of(name(1), name(5)), onDisk());
                assertEquals(0, stage.doWork());
            }
        }
    }

    @Test
    void aCancelledRequestCopiesNothing() throws IOException {
        ArchiveStage.Loan loan = borrow(4);
        loan.close();
        run();
        assertEquals(List.of(), onDisk());
        assertEquals(List.of(), notified);
    }

    @Test
    void aFileLargerThanTheLimitIsCopied() throws IOException {
        Backup backup = new Backup(store, "tributary", CLUSTER, BackupKeys.NONE);
        stage = new ArchiveStage(backup, known, folder.resolve("archive"), 1, new Metrics());
        try (ArchiveStage.Loan loan = borrow(1)) {
            run();
            assertWhole(loan, 1);
        }
        try (ArchiveStage.Loan loan = borrow(2)) {
            run();
            assertWhole(loan, 2);
        }
        assertEquals(List.of(name(2)), onDisk());
    }

    @Test
    void aDamagedFileIsNotServedAndTheNextRequestTriesAgain() throws IOException {
        Path object = folder.resolve("store/tributary/" + CLUSTER + "/" + name(1));
        byte[] bytes = Files.readAllBytes(object);
        bytes[SIZE - 1] ^= 1;
        Files.write(object, bytes);
        try (ArchiveStage.Loan loan = borrow(1)) {
            run();
            assertEquals(List.of(name(1)), notified);
            TributaryException failure = assertThrows(TributaryException.class, loan::path);
            assertEquals(ErrorCode.BACKUP_CORRUPT, failure.code());
            assertEquals(List.of(), onDisk());
        }
        bytes[SIZE - 1] ^= 1;
        Files.write(object, bytes);
        try (ArchiveStage.Loan loan = borrow(1)) {
            run();
            assertWhole(loan, 1);
        }
    }

    @Test
    void aFailedCopyAheadIsNotRepeatedForever() throws IOException {
        Files.delete(folder.resolve("store/tributary/" + CLUSTER + "/" + name(2)));
        try (ArchiveStage.Loan loan = borrow(1)) {
            run();
            assertWhole(loan, 1);
            assertEquals(0, stage.doWork());
        }
    }

    @Test
    void aFileThatIsNotInTheBackupCannotBeBorrowed() {
        assertFalse(stage.borrow(name(7), () -> {}).isPresent());
    }
}
