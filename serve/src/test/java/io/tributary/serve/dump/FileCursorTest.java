package io.tributary.serve.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions at which a reader may begin; the files are sparse. */
class FileCursorTest {
    private static final long GIBIBYTE = 1L << 30;
    private static final int SIZE = 40;

    @TempDir
    private Path folder;

    /** A file that has a FORMAT_DESCRIPTION event, and the header of an event at an offset. */
    private BinlogFile file(long length, int type, long offset) throws IOException {
        Path path = folder.resolve("binlog.000001");
        ByteBuffer head = ByteBuffer.allocate(FormatDescriptionEvent.LENGTH + Checksum.LENGTH);
        FormatDescriptionEvent.write(head, 0, new EventOrigin(0, 1), "8.0.36", Checksum.CRC32);
        ByteBuffer event = ByteBuffer.allocate(SIZE);
        EventHeader.setType(event, 0, type);
        EventHeader.setSize(event, 0, SIZE);
        EventHeader.setLogPos(event, 0, offset + SIZE);
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), length - 1);
            channel.write(head, EventHeader.FILE_MAGIC_LENGTH);
            channel.write(event, offset);
        }
        return new BinlogFile(path, length, true, GtidSet.EMPTY);
    }

    private long begin(BinlogFile file, long position) throws IOException {
        try (FileCursor cursor = new FileCursor(file, ReadLimit.DURABLE, () -> {})) {
            var unused = cursor.begin(position, new ReadBlock());
            return cursor.at();
        }
    }

    @Test
    void beginsInsideATransactionOfAFileOfUsualSize() throws IOException {
        assertEquals(GIBIBYTE, begin(file(3 * GIBIBYTE, EventType.TABLE_MAP_EVENT, GIBIBYTE), GIBIBYTE));
    }

    @Test
    void refusesAPositionInsideATransactionWhere32BitsMeanSeveralPlaces() throws IOException {
        BinlogFile large = file(5 * GIBIBYTE, EventType.TABLE_MAP_EVENT, GIBIBYTE / 2);
        DumpRefusal refusal = assertThrows(DumpRefusal.class, () -> begin(large, GIBIBYTE / 2));
        assertTrue(refusal.getMessage().contains("read by GTID, or from the beginning"), refusal.getMessage());
        assertEquals(5 * GIBIBYTE, begin(large, 5 * GIBIBYTE), "a reader by GTID may give the end");
        assertTrue(begin(large, EventHeader.FILE_MAGIC_LENGTH) > EventHeader.FILE_MAGIC_LENGTH);
        assertEquals(GIBIBYTE, begin(file(5 * GIBIBYTE, EventType.GTID_LOG_EVENT, GIBIBYTE), GIBIBYTE));
    }
}
