package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.testkit.BlobDamage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged and a full spill disk: a clear error, and a new store works again. */
class StoreFaultTest {
    private static final int MIB = 1 << 20;

    private final SplittableRandom random = new SplittableRandom(7);

    @TempDir
    Path directory;

    private PayloadStore diskStore(Path folder) {
        StoreConfig config = StoreSetup.in(folder)
                .mode(StoreMode.DISK)
                .memory(8 * MIB)
                .segment(64 << 10)
                .disk(1L << 30)
                .config();
        return new PayloadStore(config, new Metrics());
    }

    private void fill(PayloadAppender appender, List<Written> held, int bytes) {
        for (int written = 0; written < bytes; written += 30_000) {
            held.add(Written.write(appender, random, 10_000, 20_000));
        }
    }

    @Test
    void aFlippedByteOnDiskIsAnErrorThatContainsTheFileName() throws IOException {
        try (PayloadStore store = diskStore(directory);
                PayloadAppender appender = store.appender("s1")) {
            List<Written> held = new ArrayList<>();
            fill(appender, held, 24 * MIB);
            assertTrue(BlobDamage.flipBytes(directory.resolve("payload")) > 100, "blob files are there");
            List<TributaryException> failures = new ArrayList<>();
            for (Written written : held) {
                try {
                    written.check();
                } catch (TributaryException e) {
                    failures.add(e);
                }
                written.payload().release();
            }
            assertFalse(failures.isEmpty());
            for (TributaryException failure : failures) {
                assertEquals(ErrorCode.STORE_FAILED, failure.code());
                assertTrue(failure.getMessage().contains(directory.resolve("payload") + ""), failure.getMessage());
                assertTrue(failure.getMessage().matches("(?s).*\\d+\\.(sst|blob).*"), failure.getMessage());
            }
        }
        try (PayloadStore store = diskStore(directory);
                PayloadAppender appender = store.appender("s1")) {
            List<Written> held = new ArrayList<>();
            fill(appender, held, 4 * MIB);
            held.forEach(Written::check);
            held.forEach(written -> written.payload().release());
        }
    }

    @Test
    void aFullDiskIsAnErrorThatContainsTheFolder() throws Exception {
        Path small = Files.createDirectories(directory.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", small.toString()), "only root may mount");
        try (PayloadStore store = diskStore(small)) {
            PayloadAppender appender = store.appender("s1");
            List<Written> held = new ArrayList<>();
            TributaryException failure = assertThrows(TributaryException.class, () -> fill(appender, held, 64 * MIB));
            assertEquals(ErrorCode.DISK_FULL, failure.code(), failure.getMessage());
            assertTrue(failure.getMessage().contains(small.toString()), failure.getMessage());
            held.forEach(written -> written.payload().release());
            appender.close();
        } finally {
            assertTrue(run("umount", small.toString()));
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
