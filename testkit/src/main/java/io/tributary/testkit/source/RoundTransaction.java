package io.tributary.testkit.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
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
public final class RoundTransaction {
    private static final int SERVER_VERSION = 80031;
    /** A table id that no canned table has. */
    private static final long TABLE_ID = 0xffff_0001L;

    private static final byte[] SCHEMA = "tributary".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TABLE = "heartbeat".getBytes(StandardCharsets.UTF_8);
    /** INT and three BIGINT; no metadata; no column may be null; all but the first are unsigned. */
    private static final byte[] SHAPE = {4, 3, 8, 8, 8, 0, 0, 1, 1, 0x70};
    /** With a fourth BIGINT for the TSO. */
    private static final byte[] SHAPE_WITH_TSO = {5, 3, 8, 8, 8, 8, 0, 0, 1, 1, 0x78};

    private static final int NAMES_LENGTH = EventHeader.LENGTH + 6 + 2 + 1 + SCHEMA.length + 2 + TABLE.length + 1;
    private static final int IMAGE_LENGTH = 1 + 4 + 3 * 8;
    private static final int ROWS_HEAD = EventHeader.LENGTH + 6 + 2 + 2 + 1 + 1 + 1;

    private final long serverId;
    private final UUID uuid;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer buf = ByteBuffer.allocate(1024);
    private int at;
    private long logPos;

    /**
     * The row's values.
     *
     * @param tso 0 if none was ever written: then the table does not have the column
     */
    public record Row(long epoch, long round, long clock, long tso) {
        public Row(long epoch, long round, long clock) {
            this(epoch, round, clock, 0);
        }
    }

    public RoundTransaction(long serverId, UUID uuid) {
        this.serverId = serverId;
        this.uuid = uuid;
    }

    /**
     * The bytes of one transaction.
     *
     * @param number its GTID number and sequence number; it depends on the transaction before
     * @param commitMicros µs since 1970
     * @param position position in the file, used for all its events
     */
    public byte[] bytes(long number, long commitMicros, long position, Row before, Row after) {
        long seconds = commitMicros / 1_000_000;
        at = 0;
        logPos = position;
        int gtid = at;
        GtidEvent.write(buf, gtid, new EventOrigin(seconds, serverId), commitMicros, SERVER_VERSION);
        GtidEvent.setSid(buf, gtid, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setGno(buf, gtid, number);
        GtidEvent.setLogicalClock(buf, gtid, number - 1, number);
        at = complete(GtidEvent.LENGTH);
        QueryEvent.writeBegin(buf, at, new EventOrigin(seconds, serverId), 1);
        end(QueryEvent.BEGIN_LENGTH);
        tableMap(seconds, after.tso() != 0);
        rows(seconds, before, after);
        XidEvent.write(buf, at, new EventOrigin(seconds, serverId), number);
        end(XidEvent.LENGTH);
        GtidEvent.setTransactionLength(buf, gtid, at);
        int end = at;
        at = gtid;
        end(GtidEvent.LENGTH);
        return Arrays.copyOf(buf.array(), end);
    }

    private void tableMap(long seconds, boolean hasTso) {
        byte[] shape = hasTso ? SHAPE_WITH_TSO : SHAPE;
        int length = NAMES_LENGTH + shape.length;
        EventHeader.write(buf, at, new EventOrigin(seconds, serverId), EventType.TABLE_MAP_EVENT, length);
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, TABLE_ID);
        LittleEndian.putU16(buf, to + 6, 1);
        to = name(name(to + 8, SCHEMA), TABLE);
        buf.put(to, shape);
        end(length);
    }

    private int name(int to, byte[] name) {
        buf.put(to, (byte) name.length).put(to + 1, name).put(to + 1 + name.length, (byte) 0);
        return to + name.length + 2;
    }

    private void rows(long seconds, Row before, Row after) {
        boolean hasTso = after.tso() != 0;
        int columns = hasTso ? 5 : 4;
        int all = (1 << columns) - 1;
        int length = ROWS_HEAD + 2 * (IMAGE_LENGTH + (hasTso ? Long.BYTES : 0));
        EventHeader.write(buf, at, new EventOrigin(seconds, serverId), EventType.UPDATE_ROWS_EVENT, length);
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, TABLE_ID);
        LittleEndian.putU16(buf, to + 6, RowsEvent.STMT_END_F);
        LittleEndian.putU16(buf, to + 8, 2);
        buf.put(to + 10, (byte) columns).put(to + 11, (byte) all).put(to + 12, (byte) all);
        image(image(to + 13, before, hasTso), after, hasTso);
        end(length);
    }

    private int image(int to, Row row, boolean hasTso) {
        buf.put(to, (byte) 0);
        LittleEndian.putInt(buf, to + 1, 1);
        LittleEndian.putLong(buf, to + 5, row.epoch());
        LittleEndian.putLong(buf, to + 13, row.round());
        LittleEndian.putLong(buf, to + 21, row.clock());
        if (hasTso) {
            LittleEndian.putLong(buf, to + IMAGE_LENGTH, row.tso());
        }
        return to + IMAGE_LENGTH + (hasTso ? Long.BYTES : 0);
    }

    /** Completes the event of this length with its checksum. */
    private void end(int length) {
        EventHeader.setSize(buf, at, length + Checksum.LENGTH);
        EventHeader.setLogPos(buf, at, logPos);
        checksum.append(buf, at);
        at = complete(length);
    }

    private int complete(int length) {
        return at + length + Checksum.LENGTH;
    }
}
