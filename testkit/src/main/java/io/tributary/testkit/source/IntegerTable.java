package io.tributary.testkit.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes table maps and inserted rows of a table whose columns are all BIGINT NOT NULL; at most eight columns. */
final class IntegerTable {
    private static final byte MYSQL_TYPE_LONGLONG = 8;
    /** Version 2 rows events begin with the length of extra data, which includes itself. */
    private static final int NO_EXTRA = 2;

    private final long id;
    private final byte[] schema;
    private final byte[] table;
    private final int columns;

    IntegerTable(long id, String schema, String table, int columns) {
        this.id = id;
        this.schema = schema.getBytes(StandardCharsets.UTF_8);
        this.table = table.getBytes(StandardCharsets.UTF_8);
        this.columns = columns;
    }

    /** Writes a table map without checksum and returns its length. */
    int tableMap(ByteBuffer buf, int at, long seconds, long serverId) {
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, id);
        LittleEndian.putU16(buf, to + 6, 1);
        to = name(buf, name(buf, to + 8, schema), table);
        LittleEndian.putU8(buf, to++, columns);
        for (int i = 0; i < columns; i++) {
            buf.put(to++, MYSQL_TYPE_LONGLONG);
        }
        LittleEndian.putU8(buf, to++, 0); // no metadata
        LittleEndian.putU8(buf, to++, 0); // no column may be null
        EventHeader.write(buf, at, new EventOrigin(seconds, serverId), EventType.TABLE_MAP_EVENT, to - at);
        return to - at;
    }

    private static int name(ByteBuffer buf, int to, byte[] name) {
        LittleEndian.putU8(buf, to, name.length);
        buf.put(to + 1, name);
        LittleEndian.putU8(buf, to + 1 + name.length, 0);
        return to + name.length + 2;
    }

    /** Writes an event of one inserted row, which ends the statement, without checksum; returns its length. */
    int insert(ByteBuffer buf, int at, long seconds, long serverId, long... row) {
        int to = at + EventHeader.LENGTH;
        LittleEndian.putU48(buf, to, id);
        LittleEndian.putU16(buf, to + 6, RowsEvent.STMT_END_F);
        LittleEndian.putU16(buf, to + 8, NO_EXTRA);
        LittleEndian.putU8(buf, to + 10, columns);
        LittleEndian.putU8(buf, to + 11, (1 << columns) - 1);
        LittleEndian.putU8(buf, to + 12, 0); // none of them is null
        to += 13;
        for (long value : row) {
            LittleEndian.putLong(buf, to, value);
            to += Long.BYTES;
        }
        EventHeader.write(buf, at, new EventOrigin(seconds, serverId), EventType.WRITE_ROWS_EVENT, to - at);
        return to - at;
    }
}
