package io.tributary.binlog.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinlogDirectoryTest {
    @TempDir
    Path folder;

    private static BinlogConfig config(Path folder, Optional<String> uuid) {
        BinlogConfig from = BinlogSettings.in(folder).config();
        return new BinlogConfig(
                folder,
                from.name(),
                from.fileSize(),
                from.sync(),
                from.syncInterval(),
                from.fullCutInterval(),
                from.patchWorkers(),
                from.ringMemory(),
                from.serverId(),
                uuid,
                from.serverVersion());
    }

    private static UUID open(Path folder, Optional<String> uuid) {
        try (BinlogDirectory directory = BinlogDirectory.open(config(folder, uuid), Clock.SYSTEM)) {
            return directory.serverUuid();
        }
    }

    private static ErrorCode refusal(Path folder, Optional<String> uuid) {
        return assertThrows(TributaryException.class, () -> open(folder, uuid)).code();
    }

    @Test
    void createsAUuidOnceAndKeepsIt() {
        UUID made = open(folder, Optional.empty());
        assertEquals(made, open(folder, Optional.empty()));
        assertEquals(made, open(folder, Optional.of(made.toString())));
        assertTrue(!made.equals(open(folder.resolve("other"), Optional.empty())));
    }

    @Test
    void isTheSameCopyUntilItsFilesBeginAgain() throws IOException {
        try (BinlogDirectory directory = BinlogDirectory.open(config(folder, Optional.empty()), Clock.SYSTEM)) {
            UUID copy = directory.copyId(Clock.SYSTEM);
            assertEquals(copy, directory.copyId(Clock.SYSTEM));
            directory.renewCopyId(Clock.SYSTEM);
            UUID next = directory.copyId(Clock.SYSTEM);
            assertTrue(!copy.equals(next));
            Files.writeString(folder.resolve(CopyIdentity.FILE), "torn");
            assertTrue(!next.equals(directory.copyId(Clock.SYSTEM)), "an unreadable identity is replaced");
        }
    }

    @Test
    void refusesTheFolderOfAnotherCluster() {
        open(folder, Optional.of(BinlogSettings.UUID));
        assertEquals(
                ErrorCode.DIRECTORY_UNUSABLE, refusal(folder, Optional.of("99999999-2222-3333-4444-555555555555")));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, refusal(folder, Optional.of("nonsense")));
    }

    @Test
    void refusesAFolderThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, refusal(file.resolve("below"), Optional.empty()));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, refusal(file, Optional.empty()));
    }

    @Test
    void namesTheProcessThatHoldsTheLock() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = other.inputReader()) {
            assertEquals("locked", out.readLine());
            TributaryException refused = assertThrows(TributaryException.class, () -> open(folder, Optional.empty()));
            assertEquals(ErrorCode.DIRECTORY_IN_USE, refused.code());
            assertTrue(refused.getMessage().contains("process " + other.pid()), refused.getMessage());
        } finally {
            other.destroyForcibly();
            assertTrue(other.waitFor(20, TimeUnit.SECONDS));
        }
        open(folder, Optional.empty());
    }

    /** Another node: it takes the lock and holds it until it is killed. */
    static final class LockHolder {
        private LockHolder() {}

        public static void main(String[] args) throws IOException {
            try (BinlogDirectory directory =
                    BinlogDirectory.open(config(Path.of(args[0]), Optional.empty()), Clock.SYSTEM)) {
                System.out.println("locked");
                System.out.flush();
                if (System.in.read() >= 0) {
                    throw new IllegalStateException(directory.path() + ": expected no input");
                }
            }
        }
    }
}
