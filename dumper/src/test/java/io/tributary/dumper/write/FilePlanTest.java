package io.tributary.dumper.write;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.Chunk;
import io.tributary.dumper.BinlogSettings;
import io.tributary.dumper.TaskStream;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePlanTest {
    @TempDir
    Path folder;

    @Test
    void aTransactionThatWouldTakeAFilePast2GiBBeginsInANewOneBehindACutOnly() {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(1L << 30);
        try (Dumper dumper = new Dumper(settings)) {
            FilePlan plan = new FilePlan(settings.config(), dumper.directory, dumper.recovered, dumper.clock);
            TaskStream task = new TaskStream(1, Optional.empty());
            task.batch(1).release();
            plan.count(1);
            plan.advance((1L << 31) - 1_000_000);
            assertFalse(plan.isTooFullFor(2_000_000), "no cut stands behind the transaction before it");
            plan.advance(plan.cutEvent(((Chunk.CutMark) task.cut()).cut()).limit());
            assertTrue(plan.isTooFullFor(2_000_000));
            assertFalse(plan.isTooFullFor(900_000));
        }
    }
}
