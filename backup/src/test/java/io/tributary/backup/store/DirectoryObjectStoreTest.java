package io.tributary.backup.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder as the backup's store: a failed upload does not lock out other uploads, not even of the same process. */
class DirectoryObjectStoreTest {
    private static final String NAME = "cluster/binlog.000001";
    private static final byte[] CONTENT = {1, 2, 3};

    private DirectoryObjectStore store;
    private Path part;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        store = new DirectoryObjectStore(folder);
        part = folder.resolve(NAME + ".part");
    }

    private void upload() throws IOException {
        try (ObjectStore.Upload upload = store.begin(NAME, Map.of("sha256", "ab"))) {
            upload.write(ByteBuffer.wrap(CONTENT));
            upload.finish();
        }
        assertArrayEquals(CONTENT, Files.readAllBytes(folder.resolve(NAME)));
        assertEquals(Map.of("sha256", "ab"), store.metadata(NAME));
    }

    @Test
    void anUploadThatCannotStartReleasesTheLock() throws IOException {
        Files.createDirectories(part);
        TributaryException failure = assertThrows(TributaryException.class, () -> store.begin(NAME, Map.of()));
        assertEquals(ErrorCode.BACKUP_FAILED, failure.code());
        Files.delete(part);
        upload();
    }

    @Test
    void anUploadThatCannotBeRemovedReleasesTheLock() throws IOException {
        Path other = part.resolve("other");
        ObjectStore.Upload begun = store.begin(NAME, Map.of());
        Files.delete(part);
        Files.createDirectories(other);
        TributaryException failure = assertThrows(TributaryException.class, begun::close);
        assertEquals(ErrorCode.BACKUP_FAILED, failure.code());
        Files.delete(other);
        Files.delete(part);
        upload();
    }

    @Test
    void onlyOneUploadRunsAtATime() throws IOException {
        try (ObjectStore.Upload first = store.begin(NAME, Map.of())) {
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> store.begin("cluster/binlog.000002", Map.of()));
            assertEquals(ErrorCode.BACKUP_FAILED, failure.code());
            assertEquals(0, first.sent());
        }
        upload();
    }
}
