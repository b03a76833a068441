package io.tributary.bench.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.XidEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Writes the transaction with which a server logs an update of tributary.heartbeat: GTID, BEGIN, table map, rows, XID, with CRC32. */
final class RoundTransaction {
    private static final int SERVER_VERSION = 80031;
    /** No canned table has it. */
    private static final long TABLE_ID = 0xffff_0001L;

    private static final byte[] SCHEMA = "tributary".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TABLE = "heartbeat".getBytes(StandardCharsets.UTF_8);
    /** INT and three BIGINT; no metadata; no column may be null; all but the first are unsigned. */
    private static final byte[] SHAPE = {4, 3, 8, 8, 8, 0, 0, 1, 1, 0x70};

    private static final int TABLE_MAP_LENGTH =
            EventHeader.LENGTH + 6 + 2 + 1 + SCHEMA.length + 2 + TABLE.length + 1 + SHAPE.length;
    private static final int IMAGE_LENGTH = 1 + 4 + 3 * 8;
    private static final int ROWS_LENGTH = EventHeader.LENGTH + 6 + 2 + 2 + 1 + 1 + 1 + 2 * IMAGE_LENGTH;
    private static final int ALL_COLUMNS = 0x0f;

    private final long serverId;
    private final UUID uuid;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer buf = ByteBuffer.allocate(1024);
    private int at;
    private long logPos;

    /** The row's values. */
    record Row(long epoch, long round, long clock) {}

    RoundTransaction(long serverId, UUID uuid) {
        this.serverId = serverId;
        this.uuid = uuid;
    }

    /**
     * The bytes of one transaction.
     *
     * @param number its GTID's and its sequence number; it depends on the one before
     * @param commitMicros µs since 1970
     * @param position in the file, which all its events name
     */
    byte[] bytes(long number, long commitMicros, long position, Row before, Row after) {
        long seconds = commitMicros / 1_000_000;
        at = 0;
        logPos = position;
        int gtid = at;
        GtidEvent.write(buf, gtid, seconds, serverId, 0, commitMicros, SERVER_VERSION);
        GtidEvent.setSid(buf, gtid, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setGno(buf, gtid, number);
        GtidEvent.setLogicalClock(buf, gtid, number - 1, number);
        at = behind(GtidEvent.LENGTH);
        QueryEvent.writeBegin(buf, at, seconds, serverId, 1);
        end(QueryEvent.BEGIN_LENGTH);
        tableMap(seconds);
        rows(seconds, before, after);
        XidEvent.write(buf, at, seconds, serverId, number);
        end(XidEvent.LENGTH);
        GtidEvent.setTransactionLength(buf, gtid, at);
        int behind = at;
        at = gtid;
        end(GtidEvent.LENGTH);
        return Arrays.copyOf(buf.array(), behind);
    }

    private void tableMap(long seconds) {
        EventHeader.write(buf, at, seconds, EventType.TABLE_MAP_EVENT, serverId, TABLE_MAP_LENGTH, 0, 0);
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, TABLE_ID);
        LittleEndian.putU16(buf, to + 6, 1);
        to = name(name(to + 8, SCHEMA), TABLE);
        buf.put(to, SHAPE);
        end(TABLE_MAP_LENGTH);
    }

    private int name(int to, byte[] name) {
        buf.put(to, (byte) name.length).put(to + 1, name).put(to + 1 + name.length, (byte) 0);
        return to + name.length + 2;
    }

    private void rows(long seconds, Row before, Row after) {
        EventHeader.write(buf, at, seconds, EventType.UPDATE_ROWS_EVENT, serverId, ROWS_LENGTH, 0, 0);
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, TABLE_ID);
        LittleEndian.putU16(buf, to + 6, RowsEvent.STMT_END_F);
        LittleEndian.putU16(buf, to + 8, 2);
        buf.put(to + 10, (byte) 4).put(to + 11, (byte) ALL_COLUMNS).put(to + 12, (byte) ALL_COLUMNS);
        image(image(to + 13, before), after);
        end(ROWS_LENGTH);
    }

    private int image(int to, Row row) {
        buf.put(to, (byte) 0);
        LittleEndian.putInt(buf, to + 1, 1);
        LittleEndian.putLong(buf, to + 5, row.epoch());
        LittleEndian.putLong(buf, to + 13, row.round());
        LittleEndian.putLong(buf, to + 21, row.clock());
        return to + IMAGE_LENGTH;
    }

    /** Ends the event of this length, which stands without its checksum. */
    private void end(int length) {
        EventHeader.setSize(buf, at, length + Checksum.LENGTH);
        EventHeader.setLogPos(buf, at, logPos);
        checksum.append(buf, at);
        at = behind(length);
    }

    private int behind(int length) {
        return at + length + Checksum.LENGTH;
    }
}
