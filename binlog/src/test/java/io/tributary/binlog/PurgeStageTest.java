package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are purged automatically. */
class PurgeStageTest {
    private static final long MUCH = 1L << 40;

    @TempDir
    private Path folder;

    private Dumper dumper;
    private BinlogFiles files;
    private long free = MUCH;

    @BeforeEach
    void write() throws Exception {
        dumper = Dumper.ofFiveFiles(folder, Duration.ofHours(1));
        files = dumper.files();
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    private PurgeStage stage(Duration age, long size, long leastFree) {
        return new PurgeStage(
                files,
                () -> new PurgeConfig(age, new ByteSize(size), new ByteSize(leastFree)),
                () -> free,
                new Metrics(),
                dumper.clock);
    }

    private String first(PurgeStage stage) {
        stage.doWork();
        stage.close();
        return files.first().name();
    }

    @Test
    void nothingIsPurgedWithoutALimit() {
        dumper.clock.advanceMillis(Duration.ofDays(1000).toMillis());
        assertEquals("binlog.000001", first(stage(Duration.ZERO, 0, 0)));
    }

    @Test
    void purgesByTheTimeSinceAFileWasFinished() {
        assertEquals("binlog.000001", first(stage(Duration.ofHours(4), 0, 0)));
        // finished 3, 2, 1 and 0 hours ago
        assertEquals("binlog.000003", first(stage(Duration.ofMinutes(90), 0, 0)));
        dumper.clock.advanceMillis(Duration.ofDays(1000).toMillis());
        assertEquals("binlog.000005", first(stage(Duration.ofHours(1), 0, 0)));
    }

    @Test
    void purgesByTheSizeOfAllFiles() {
        long all = files.list().stream().mapToLong(BinlogFile::end).sum();
        long one = files.first().end();
        assertEquals("binlog.000001", first(stage(Duration.ZERO, all, 0)));
        assertEquals("binlog.000002", first(stage(Duration.ZERO, all - 1, 0)));
        assertEquals("binlog.000004", first(stage(Duration.ZERO, all - 2 * one - 100, 0)));
        assertEquals("binlog.000005", first(stage(Duration.ZERO, 1, 0)));
    }

    @Test
    void purgesByFreeSpaceAndNoMoreThanNeeded() {
        assertEquals("binlog.000001", first(stage(Duration.ZERO, 0, MUCH)));
        free = MUCH - 1;
        assertEquals("binlog.000002", first(stage(Duration.ZERO, 0, MUCH)));
        free = MUCH - files.first().end() - 1;
        assertEquals("binlog.000004", first(stage(Duration.ZERO, 0, MUCH)));
    }

    @Test
    void aHeldFileIsKeptWithAllLaterOnes() {
        BinlogFile held = files.list().get(2);
        assertTrue(files.hold(held));
        PurgeStage stage = stage(Duration.ZERO, 1, 0);
        stage.doWork();
        assertEquals(held, files.first());
        files.release(held);
        assertEquals(0, stage.doWork());
        assertEquals(held, files.first(), "checks once a second");
        dumper.clock.advanceMillis(1000);
        assertEquals(1, stage.doWork());
        assertEquals("binlog.000005", first(stage));
    }

    @Test
    void anUnreadableFreeSpacePurgesNothing() {
        PurgeStage stage = new PurgeStage(
                files,
                () -> new PurgeConfig(Duration.ZERO, new ByteSize(0), new ByteSize(MUCH)),
                () -> {
                    throw new IOException("gone");
                },
                new Metrics(),
                dumper.clock);
        assertEquals("binlog.000001", first(stage));
    }
}
