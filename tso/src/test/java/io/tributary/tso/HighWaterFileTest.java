package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mark survives damage to its file. */
class HighWaterFileTest {
    @TempDir
    private Path folder;

    @Test
    void aNewFileHasNoMark() {
        try (HighWaterFile file = HighWaterFile.open(folder.resolve("new"))) {
            assertEquals(0, file.value());
        }
        try (HighWaterFile file = HighWaterFile.open(folder.resolve("new"))) {
            assertEquals(0, file.value());
        }
    }

    @Test
    void theLastMarkIsReadBackAfterAnyNumberOfRaises() {
        for (int times = 1; times < 6; times++) {
            try (HighWaterFile file = HighWaterFile.open(folder)) {
                for (int i = 0; i < times; i++) {
                    file.raise(file.value() + 1000);
                }
            }
            try (HighWaterFile file = HighWaterFile.open(folder)) {
                assertEquals(times * (times + 1) / 2 * 1000L, file.value());
            }
        }
    }

    @Test
    void aTornWriteLeavesThePreviousMark() throws IOException {
        for (int byteNumber = 0; byteNumber < 16; byteNumber++) {
            Path own = folder.resolve("torn" + byteNumber);
            raise(own, 1000, 2000, 3000); // the third one is in the first slot
            damage(own, byteNumber);
            try (HighWaterFile file = HighWaterFile.open(own)) {
                assertEquals(2000, file.value());
                file.raise(4000);
            }
            try (HighWaterFile file = HighWaterFile.open(own)) {
                assertEquals(4000, file.value());
            }
        }
    }

    @Test
    void aFileWithoutAReadableMarkIsRefused() throws IOException {
        raise(folder, 1000, 2000);
        damage(folder, 9);
        damage(folder, HighWaterFile.SLOT + 9);
        refuses(ErrorCode.TSO_MARK_DAMAGED, folder);
        Files.write(folder.resolve(HighWaterFile.NAME), new byte[] {1, 2, 3});
        refuses(ErrorCode.TSO_MARK_DAMAGED, folder);
    }

    @Test
    void aSecondServiceIsRefused() {
        try (HighWaterFile file = HighWaterFile.open(folder)) {
            refuses(ErrorCode.DIRECTORY_IN_USE, folder);
            file.raise(5);
        }
        HighWaterFile.open(folder).close();
    }

    @Test
    void aFolderThatCannotBeCreatedIsReported() throws IOException {
        Files.writeString(folder.resolve("file"), "x");
        refuses(ErrorCode.DIRECTORY_UNUSABLE, folder.resolve("file"));
    }

    private static void refuses(ErrorCode code, Path directory) {
        TributaryException refusal = assertThrows(
                TributaryException.class, () -> HighWaterFile.open(directory).close());
        assertEquals(code, refusal.code());
    }

    private static void raise(Path directory, long... values) {
        try (HighWaterFile file = HighWaterFile.open(directory)) {
            for (long value : values) {
                file.raise(value);
            }
        }
    }

    private static void damage(Path directory, int at) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve(HighWaterFile.NAME).toFile(), "rw")) {
            file.seek(at);
            int was = file.read();
            file.seek(at);
            file.write(was ^ 0x40);
        }
    }
}
