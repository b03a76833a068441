package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup that is encrypted. */
class FileEncryptionTest {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";
    private static final int FRAME = FileEncryption.FRAME + 16;
    private static final String OLD = "0".repeat(63) + "1";
    private static final String NEW = "0".repeat(63) + "2";

    @TempDir
    private Path folder;

    private LocalFiles local;
    private ObjectStore store;
    private BackupConfig config;

    @BeforeEach
    void begin() throws IOException {
        local = new LocalFiles(folder.resolve("binlog"), 2);
        store = new DirectoryObjectStore(Files.createDirectory(folder.resolve("store")));
        config = keys("one", OLD);
    }

    private BackupConfig keys(String name, String... lines) throws IOException {
        return new BackupConfigs()
                .keyFile(Files.write(folder.resolve(name), List.of(lines)))
                .config();
    }

    private void backUp() {
        try (BackupStage stage = new BackupStage(
                new BackupSource(local, CLUSTER, new BackupState(folder)),
                BackupTarget.of(store, () -> config),
                BackupTurn.ALWAYS,
                new Metrics(),
                new ManualClock())) {
            while (stage.doWork() > 0) {}
        }
    }

    private Backup backup(BackupKeys keys) {
        return new Backup(store, "tributary", CLUSTER, keys);
    }

    private void restore(String name) {
        Restore.run(backup(BackupKeys.of(config)), folder.resolve(name), Progress.NONE);
    }

    private Path object(int number) {
        return folder.resolve("store/tributary/" + CLUSTER + "/" + String.format("binlog.%06d", number));
    }

    private void assertRestores(String name) throws IOException {
        restore(name);
        for (FinishedFile file : local.files) {
            assertArrayEquals(
                    Files.readAllBytes(file.path()),
                    Files.readAllBytes(folder.resolve(name).resolve(file.name())));
        }
    }

    private static boolean contains(byte[] all, byte[] part) {
        for (int i = 0; i + part.length <= all.length; i++) {
            if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void objectsCannotBeReadWithoutTheKeyAndAreRestoredWithIt() throws IOException {
        for (int size : new int[] {
            1,
            FileEncryption.FRAME - 1,
            FileEncryption.FRAME,
            FileEncryption.FRAME + 1,
            5_000_000,
            64 * FileEncryption.FRAME * 2
        }) {
            local.add(size);
        }
        backUp();
        for (FinishedFile file : local.files) {
            byte[] plain = Files.readAllBytes(file.path());
            byte[] encrypted = Files.readAllBytes(object(Manifest.number(file.name())));
            assertEquals(FileEncryption.encryptedSize(plain.length), encrypted.length);
            assertFalse(plain.length > 15 && contains(encrypted, Arrays.copyOf(plain, 16)));
        }
        assertRestores("restored");
    }

    @Test
    void anotherKeyOrNoKeyIsAnErrorThatContainsTheKeyId() throws IOException {
        local.add(1000);
        backUp();
        String id = BackupKeys.of(config).newest().orElseThrow();
        Manifest.Entry file = backup(BackupKeys.NONE).manifest().files().get(0);
        for (BackupKeys wrong : List.of(BackupKeys.NONE, BackupKeys.of(keys("two", NEW)))) {
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> backup(wrong).verify(file, Progress.NONE));
            assertEquals(ErrorCode.BACKUP_REFUSED, failure.code());
            assertTrue(failure.getMessage().contains("expected the key " + id), failure.getMessage());
        }
    }

    @Test
    void aNewKeyEncryptsNewFilesAndTheOldOneDecryptsEarlierFiles() throws IOException {
        local.add(1000);
        backUp();
        config = keys("both", "# the newest first", NEW, OLD);
        local.add(1000);
        backUp();
        List<Manifest.Entry> files = backup(BackupKeys.NONE).manifest().files();
        assertFalse(files.get(0).key().equals(files.get(1).key()));
        assertRestores("restored");
    }

    @Test
    void changedSwappedOrMissingFramesAreDetected() throws IOException {
        local.add(4 * FileEncryption.FRAME);
        local.add(4 * FileEncryption.FRAME);
        backUp();
        byte[] first = Files.readAllBytes(object(1));
        byte[] other = Files.readAllBytes(object(2));

        byte[] changed = first.clone();
        changed[2 * FRAME + 77] ^= 1;
        assertNotOpened(changed, "offset " + 2 * FileEncryption.FRAME);
        byte[] swapped = first.clone();
        System.arraycopy(first, FRAME, swapped, 0, FRAME);
        System.arraycopy(first, 0, swapped, FRAME, FRAME);
        assertNotOpened(swapped, "offset 0");
        byte[] fromAnotherFile = first.clone();
        System.arraycopy(other, 3 * FRAME, fromAnotherFile, 3 * FRAME, FRAME);
        assertNotOpened(fromAnotherFile, "offset " + 3 * FileEncryption.FRAME);
        assertNotOpened(Arrays.copyOf(first, 3 * FRAME), "found " + 3 * FRAME + " bytes");
    }

    /** Also if the manifest was changed to match the truncated file. */
    @Test
    void aTruncatedFileCannotBeDecryptedWhateverTheManifestContains() throws IOException {
        local.add(4 * FileEncryption.FRAME);
        backUp();
        Files.write(object(1), Arrays.copyOf(Files.readAllBytes(object(1)), 3 * FRAME));
        Manifest.Entry whole = backup(BackupKeys.NONE).manifest().files().get(0);
        Manifest.Entry shorter = new Manifest.Entry(
                whole.name(),
                3 * FileEncryption.FRAME,
                whole.sha256(),
                10,
                19,
                whole.firstMicros(),
                whole.key(),
                false);
        TributaryException failure = assertThrows(
                TributaryException.class, () -> backup(BackupKeys.of(config)).verify(shorter, Progress.NONE));
        assertTrue(failure.getMessage().contains("offset 0"), failure.getMessage());
    }

    private void assertNotOpened(byte[] content, String where) throws IOException {
        Files.write(object(1), content);
        Manifest.Entry file = backup(BackupKeys.NONE).manifest().files().get(0);
        TributaryException failure = assertThrows(
                TributaryException.class, () -> backup(BackupKeys.of(config)).verify(file, Progress.NONE));
        assertEquals(ErrorCode.BACKUP_CORRUPT, failure.code());
        assertTrue(failure.getMessage().contains("binlog.000001: expected"), failure.getMessage());
        assertTrue(failure.getMessage().contains(where), failure.getMessage());
    }

    @Test
    void aFileOfKeysWithoutAKeyIsRefused() throws IOException {
        for (String line : new String[] {"", "abc", OLD + "0", "g" + OLD.substring(1)}) {
            BackupConfig bad = keys("bad", line);
            TributaryException failure = assertThrows(TributaryException.class, () -> BackupKeys.of(bad));
            assertEquals(ErrorCode.CONFIG_INVALID, failure.code());
            assertTrue(failure.getMessage().contains("64 hex digits"), failure.getMessage());
        }
        BackupConfig missing =
                new BackupConfigs().keyFile(folder.resolve("none")).config();
        assertEquals(
                ErrorCode.CONFIG_INVALID,
                assertThrows(TributaryException.class, () -> BackupKeys.of(missing))
                        .code());
    }
}
