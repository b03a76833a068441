package io.tributary.bench.made;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction of 2 GiB passes through a node with a heap of 256 MiB and a store of 64 MiB, complete and in order. */
class LargeTransactionTest {
    private static final long BYTES = 2L << 30;
    private static final long STORE = 64L << 20;

    @TempDir
    Path folder;

    @Test
    void passesThirtyTimesTheMemory() throws IOException {
        LargeRun run = new LargeRun(
                BYTES,
                folder,
                Map.of("store.memory", "64MiB", "store.spill.transaction", "8MiB", "binlog.sync", "never"),
                Map.of("TRIBUTARY_HEAP", "256m", "TRIBUTARY_DIRECT", "256m"),
                Duration.ofMinutes(8));
        LargeRun.Outcome outcome = run.run();
        assertEquals(run.transactions(), outcome.file().transactions());
        assertEquals(run.rows(), outcome.file().rows());
        assertEquals(run.largeRows(), outcome.file().mostRows());
        assertTrue(outcome.spilled() > BYTES / 2, outcome + ": it was on disk");
        assertTrue(outcome.storeMemory() <= STORE + STORE / 4, outcome + ": the store respects its memory limit");
        assertTrue(outcome.usage().peakBytes() < 1L << 30, outcome + ": the node is small");
        assertTrue(outcome.othersWereRead(), outcome + ": other shards were read meanwhile");
    }
}
