package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.PreviousGtidsEvent;
import io.tributary.mysql.event.RotateEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads binlog files byte by byte, without the code under test, and asserts what must be true in each file. */
public final class BinlogReader {
    /** Bytes of each transaction's events without GTID event, log_pos and checksum, by number. */
    public final List<String> transactions = new ArrayList<>();

    public int cuts;
    public int rotates;
    private long gno;

    public static BinlogReader read(Path folder) throws IOException {
        BinlogReader reader = new BinlogReader();
        for (String line : Files.readAllLines(folder.resolve("binlog.index"))) {
            reader.readFile(folder.resolve(line));
        }
        return reader;
    }

    private void readFile(Path path) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        assertEquals(EventHeader.FILE_MAGIC, LittleEndian.getInt(bytes, 0));
        Checksum checksum = new Checksum();
        long sequence = 0;
        long transactionEnd = 0;
        StringBuilder text = null;
        int at = EventHeader.FILE_MAGIC_LENGTH;
        while (at < bytes.limit()) {
            EventHeader.check(bytes, at);
            int end = EventHeader.end(bytes, at);
            assertTrue(checksum.fits(bytes, at), "checksum at " + at);
            assertEquals(end, EventHeader.logPos(bytes, at));
            assertEquals(1000, EventHeader.serverId(bytes, at));
            switch (EventHeader.type(bytes, at)) {
                case EventType.PREVIOUS_GTIDS_LOG_EVENT -> {
                    GtidSet set = PreviousGtidsEvent.gtids(bytes, at, end - Checksum.LENGTH);
                    assertEquals(gno == 0 ? "" : BinlogSettings.UUID + ":1" + (gno == 1 ? "" : "-" + gno), set.line());
                }
                case EventType.GTID_LOG_EVENT -> {
                    assertEquals(++gno, GtidEvent.gno(bytes, at));
                    assertEquals(BinlogSettings.UUID, GtidEvent.uuid(bytes, at).toString());
                    int bodyEnd = end - Checksum.LENGTH;
                    assertEquals(++sequence, GtidEvent.sequenceNumber(bytes, at, bodyEnd));
                    long last = GtidEvent.lastCommitted(bytes, at, bodyEnd);
                    assertTrue(sequence == 1 ? last == 0 : last >= 1 && last < sequence, "last_committed " + last);
                    transactionEnd = at + GtidEvent.transactionLength(bytes, at, bodyEnd);
                    text = new StringBuilder();
                }
                case EventType.IGNORABLE_LOG_EVENT -> {
                    assertTrue(at >= transactionEnd);
                    cuts++;
                }
                case EventType.ROTATE_EVENT -> {
                    assertEquals(bytes.limit(), end);
                    int next = BinlogDirectory.number(path.getFileName().toString()) + 1;
                    assertEquals(
                            String.format("binlog.%06d", next), RotateEvent.fileName(bytes, at, end - Checksum.LENGTH));
                    rotates++;
                }
                case EventType.FORMAT_DESCRIPTION_EVENT -> assertEquals(EventHeader.FILE_MAGIC_LENGTH, at);
                default -> {
                    byte[] body = new byte[end - Checksum.LENGTH - at - EventHeader.LENGTH];
                    bytes.get(at + EventHeader.LENGTH, body);
                    text.append(EventHeader.type(bytes, at)).append(java.util.Arrays.hashCode(body));
                    if (end == transactionEnd) {
                        transactions.add(text.toString());
                    }
                }
            }
            at = end;
        }
        assertEquals(gno, transactions.size());
    }
}
