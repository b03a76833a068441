package io.tributary.binlog.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLayoutTest {
    @TempDir
    Path folder;

    @Test
    void aTransactionThatWouldEndAfter2GiBBeginsInANewFileOnlyAfterACut() {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(1L << 30);
        try (Dumper dumper = new Dumper(settings)) {
            FileLayout plan = new FileLayout(settings.config(), dumper.directory, dumper.recovered, dumper.clock);
            TaskStream task = new TaskStream(1, Optional.empty());
            task.batch(1).release();
            plan.count(1);
            plan.advance((1L << 31) - 1_000_000);
            assertFalse(plan.isTooFullFor(2_000_000), "no cut follows the transaction before it");
            plan.advance(plan.cutEvent(((Chunk.CutMark) task.cut()).cut()).limit());
            assertTrue(plan.isTooFullFor(2_000_000));
            assertFalse(plan.isTooFullFor(900_000));
        }
    }

    @Test
    void withoutAConfiguredVersionNewFilesHaveThatOfTheTransactions() {
        BinlogConfig named = BinlogSettings.in(folder).config();
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            ByteBuffer event = ByteBuffer.allocate(GtidEvent.LENGTH);
            GtidEvent.write(event, 0, new EventOrigin(1_700_000_000L, 1), 1_700_000_000_000_000L, 80404);
            assertEquals("8.0.36-tributary", versionOfNextFile(named, dumper, event));
            assertEquals("8.4.4-tributary", versionOfNextFile(withoutVersion(named), dumper, event));
            assertEquals("8.0.36-tributary", versionOfNextFile(withoutVersion(named), dumper, ByteBuffer.allocate(3)));
        }
    }

    private static BinlogConfig withoutVersion(BinlogConfig named) {
        return new BinlogConfig(
                named.directory(),
                named.name(),
                named.fileSize(),
                named.sync(),
                named.syncInterval(),
                named.fullCutInterval(),
                named.patchWorkers(),
                named.ringMemory(),
                named.serverId(),
                named.clusterUuid(),
                Optional.empty());
    }

    private static String versionOfNextFile(BinlogConfig config, Dumper dumper, ByteBuffer event) {
        FileLayout plan = new FileLayout(config, dumper.directory, dumper.recovered, dumper.clock);
        plan.learnVersion(event, 0);
        ByteBuffer head = plan.next().head();
        return FormatDescriptionEvent.serverVersion(head, EventHeader.FILE_MAGIC_LENGTH);
    }
}
