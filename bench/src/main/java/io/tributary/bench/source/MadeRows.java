package io.tributary.bench.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes a table map and inserts of a table of one LONGBLOB column, without checksums. */
final class MadeRows {
    private static final int LONGBLOB_LENGTH = 4;
    private static final int BLOB = 252;
    /** The bytes of a rows event without its value. */
    static final int ROWS_OVERHEAD = EventHeader.LENGTH + 6 + 2 + 2 + 1 + 1 + 1 + LONGBLOB_LENGTH;

    private MadeRows() {}

    /** Returns the end of the event. */
    static int tableMap(ByteBuffer buf, int at, long timestamp, long id, String schema, String table) {
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, id);
        LittleEndian.putU16(buf, to + 6, 1);
        to = name(buf, name(buf, to + 8, schema), table);
        for (int b : new int[] {1, BLOB, 1, LONGBLOB_LENGTH, 0}) {
            buf.put(to++, (byte) b);
        }
        EventHeader.write(buf, at, new EventOrigin(timestamp, 1), EventType.TABLE_MAP_EVENT, to - at);
        return to;
    }

    private static int name(ByteBuffer buf, int at, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        buf.put(at, (byte) bytes.length).put(at + 1, bytes).put(at + 1 + bytes.length, (byte) 0);
        return at + bytes.length + 2;
    }

    /** Writes an insert of one row whose value has this many bytes, but not the value itself; returns the end of the event. */
    static int insert(ByteBuffer buf, int at, long timestamp, long id, int value, boolean endsStatement) {
        int size = ROWS_OVERHEAD + value;
        EventHeader.write(buf, at, new EventOrigin(timestamp, 1), EventType.WRITE_ROWS_EVENT, size);
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, id);
        LittleEndian.putU16(buf, to + 6, endsStatement ? RowsEvent.STMT_END_F : 0);
        LittleEndian.putU16(buf, to + 8, 2);
        buf.put(to + 10, (byte) 1).put(to + 11, (byte) 1).put(to + 12, (byte) 0);
        LittleEndian.putInt(buf, to + 13, value);
        return at + size;
    }
}
