package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * TABLE_MAP_EVENT (19): the table of the rows events with a table id: table id u48, flags u16; length of the schema u8, schema, zero; length
 * of the table u8, table, zero; number of columns; a type byte for each; length of their metadata, metadata; a bitmap of the columns that
 * may be null; from 8.0 on optional metadata, see {@link OptionalMetadata} (Table_map_event in libbinlogevents/include/rows_event.h).
 *
 * <p>The part after the names is the <em>body</em>: it describes the whole shape of the rows.
 */
public final class TableMapEvent {
    private static final int TABLE_ID_AT = EventHeader.LENGTH;
    private static final int FLAGS_AT = TABLE_ID_AT + 6;
    private static final int SCHEMA_LENGTH_AT = FLAGS_AT + 2;
    private static final int SCHEMA_AT = SCHEMA_LENGTH_AT + 1;
    private static final int MAX_COLUMNS = 4096;
    private static final int GENERATED_INVISIBLE_PK_F = 4;

    private TableMapEvent() {}

    /** Rejects a truncated event, more than 4096 columns, and metadata that does not match the types. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, SCHEMA_AT - EventHeader.LENGTH, "table map");
        Malformed.room(view, at, end, schemaAt(at), schemaLength(view, at) + 2L, "schema");
        Malformed.room(view, at, end, tableAt(view, at), tableLength(view, at) + 1L, "table");
        if (view.get(tableAt(view, at) - 2) != 0 || view.get(bodyAt(view, at) - 1) != 0) {
            throw Malformed.event(view, at, "a zero after schema and table", "another byte");
        }
        int columnsAt = bodyAt(view, at);
        Malformed.packed(view, at, end, columnsAt, "number of columns");
        long columns = PackedInteger.get(view, columnsAt);
        if (columns < 0 || columns > MAX_COLUMNS) {
            throw Malformed.event(view, at, "at most 4096 columns", Long.toString(columns));
        }
        Malformed.room(view, at, end, typesAt(view, at), columns, "column types");
        int lengthAt = metadataLengthAt(view, at);
        Malformed.packed(view, at, end, lengthAt, "length of the metadata");
        long metadata = PackedInteger.get(view, lengthAt);
        Malformed.room(view, at, end, metadataAt(view, at), metadata, "metadata");
        checkMetadata(view, at);
        Malformed.room(view, at, end, nullBitmapAt(view, at), (columns + 7) / 8, "null bitmap");
        OptionalMetadata.check(view, at, optionalAt(view, at), end);
    }

    /** Rejects column types that no table has, and metadata that does not match the types. */
    private static void checkMetadata(ByteBuffer view, int at) {
        int columns = columnCount(view, at);
        int typesAt = typesAt(view, at);
        int metadataAt = metadataAt(view, at);
        int length = metadataLength(view, at);
        int used = 0;
        for (int i = 0; i < columns; i++) {
            int type = LittleEndian.getU8(view, typesAt + i);
            if (!ColumnType.isKnown(type)) {
                throw Malformed.event(view, at, "a known column type", "type " + type + " of column " + i);
            }
            used += ColumnType.metadataLength(type);
            if (type == ColumnType.MYSQL_TYPE_TYPED_ARRAY && used < length) {
                int element = LittleEndian.getU8(view, metadataAt + used);
                used += 1 + ColumnType.metadataLength(element);
            }
        }
        if (used != length) {
            throw Malformed.event(view, at, "metadata of " + used + " bytes for the types", length + " bytes");
        }
    }

    /**
     * The bytes after the flags, including the names, without redundant information: that all columns are visible, which MySQL writes from
     * 8.0.23 on and MariaDB does not. Two table maps of the same shape are equal here. The flags are not part of the shape: they describe
     * foreign keys of other tables to this one, triggers, and the origin of its key, and change without a statement that names the table.
     */
    public static byte[] comparable(ByteBuffer view, int at, int end) {
        int field = OptionalMetadata.find(view, optionalAt(view, at), end, OptionalMetadata.COLUMN_VISIBILITY);
        boolean isLeftOut = field >= 0 && allAreVisible(view, at, field);
        int from = at + SCHEMA_LENGTH_AT;
        int cut = isLeftOut ? field : end;
        int rest = isLeftOut ? OptionalMetadata.next(view, field) : end;
        byte[] bytes = new byte[cut - from + end - rest];
        view.get(from, bytes, 0, cut - from);
        view.get(rest, bytes, cut - from, end - rest);
        return bytes;
    }

    /**
     * The part of the body on which rows depend: the columns' types, metadata, signedness, character sets, names, ENUM and SET values, geometry
     * types and vector dimensions. It does not contain nullability, the primary key, visibility, and the names of schema and
     * table. Fields of a later version are included. If it is equal for two table maps, their rows have the same columns.
     */
    public static byte[] rowShape(ByteBuffer view, int at, int end) {
        int from = bodyAt(view, at);
        int length = nullBitmapAt(view, at) - from;
        byte[] bytes = new byte[end - from];
        view.get(from, bytes, 0, length);
        int field = optionalAt(view, at);
        while (field < end) {
            int next = OptionalMetadata.next(view, field);
            if (OptionalMetadata.isAboutRows(OptionalMetadata.type(view, field))) {
                view.get(field, bytes, length, next - field);
                length += next - field;
            }
            field = next;
        }
        return Arrays.copyOf(bytes, length);
    }

    /** Whether it names the columns (binlog_row_metadata=FULL). */
    public static boolean namesColumns(ByteBuffer view, int at, int end) {
        return OptionalMetadata.find(view, optionalAt(view, at), end, OptionalMetadata.COLUMN_NAME) >= 0;
    }

    private static boolean allAreVisible(ByteBuffer view, int at, int field) {
        int bits = OptionalMetadata.valueAt(view, field);
        int columns = columnCount(view, at);
        for (int i = 0; i < columns; i++) {
            if (i / 8 >= OptionalMetadata.valueLength(view, field) || (view.get(bits + i / 8) & 0x80 >> i % 8) == 0) {
                return false;
            }
        }
        return true;
    }

    /** 0..2^48-1. */
    public static long tableId(ByteBuffer view, int at) {
        return LittleEndian.getU48(view, at + TABLE_ID_AT);
    }

    /** Sets it, 0..2^48-1. */
    public static void setTableId(ByteBuffer buf, int at, long tableId) {
        LittleEndian.putU48(buf, at + TABLE_ID_AT, tableId);
    }

    /** 16 bits, which are not part of the shape, see {@link #comparable}. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU16(view, at + FLAGS_AT);
    }

    /** Whether the server generated a primary key for the table, whose column {@code my_row_id} is the first one in rows. */
    public static boolean hasGeneratedKey(ByteBuffer view, int at) {
        return (flags(view, at) & GENERATED_INVISIBLE_PK_F) != 0;
    }

    /** Clears the flag: the table has no generated key. */
    public static void setNoGeneratedKey(ByteBuffer buf, int at) {
        LittleEndian.putU16(buf, at + FLAGS_AT, flags(buf, at) & ~GENERATED_INVISIBLE_PK_F);
    }

    /** Offset of the schema's name, in UTF-8, which a zero follows. */
    private static int schemaAt(int at) {
        return at + SCHEMA_AT;
    }

    /** Bytes of that name, without the zero. */
    private static int schemaLength(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + SCHEMA_LENGTH_AT);
    }

    /** The name as text; each call creates a new string. */
    public static String schema(ByteBuffer view, int at) {
        return Text.utf8(view, schemaAt(at), schemaAt(at) + schemaLength(view, at));
    }

    /** Offset of the table's name, in UTF-8, which a zero follows. */
    private static int tableAt(ByteBuffer view, int at) {
        return schemaAt(at) + schemaLength(view, at) + 2;
    }

    /** Bytes of that name, without the zero. */
    private static int tableLength(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, tableAt(view, at) - 1);
    }

    /** The name as text; each call creates a new string. */
    public static String table(ByteBuffer view, int at) {
        int from = tableAt(view, at);
        return Text.utf8(view, from, from + tableLength(view, at));
    }

    /** Offset of the body, which extends to the event's end: number of columns and everything after it. */
    public static int bodyAt(ByteBuffer view, int at) {
        return tableAt(view, at) + tableLength(view, at) + 1;
    }

    /** 0..4096. */
    public static int columnCount(ByteBuffer view, int at) {
        return (int) PackedInteger.get(view, bodyAt(view, at));
    }

    /** Offset of the types, one byte for each column, see {@link ColumnType}. */
    public static int typesAt(ByteBuffer view, int at) {
        return PackedInteger.end(view, bodyAt(view, at));
    }

    /** Offset of the columns' metadata; each type has its own number of bytes, see {@link ColumnType}. */
    public static int metadataAt(ByteBuffer view, int at) {
        return PackedInteger.end(view, metadataLengthAt(view, at));
    }

    /** Bytes of the columns' metadata. */
    static int metadataLength(ByteBuffer view, int at) {
        return (int) PackedInteger.get(view, metadataLengthAt(view, at));
    }

    /** Offset of the bitmap of nullable columns, the lowest bit first. */
    public static int nullBitmapAt(ByteBuffer view, int at) {
        int lengthAt = metadataLengthAt(view, at);
        return PackedInteger.end(view, lengthAt) + (int) PackedInteger.get(view, lengthAt);
    }

    /** Offset of the optional metadata, which extends to the event's end and may be empty, see {@link OptionalMetadata}. */
    public static int optionalAt(ByteBuffer view, int at) {
        return nullBitmapAt(view, at) + (columnCount(view, at) + 7) / 8;
    }

    /**
     * Makes a table map as the event at {@code at} with other names and table id 0; all other fields, including log_pos, stay.
     *
     * @param end offset after the event without its checksum
     * @param schema at most 255 bytes of UTF-8
     * @param table at most 255 bytes of UTF-8
     * @return from 0 to its limit, without checksum
     */
    public static ByteBuffer renamed(ByteBuffer view, int at, int end, byte[] schema, byte[] table) {
        if (schema.length > 255 || table.length > 255) {
            throw new IllegalArgumentException(
                    "expected names of at most 255 bytes, found " + schema.length + " and " + table.length);
        }
        int body = bodyAt(view, at);
        int size = SCHEMA_AT + schema.length + 2 + table.length + 1 + end - body;
        ByteBuffer event = ByteBuffer.allocate(size);
        event.put(0, view, at, SCHEMA_LENGTH_AT);
        EventHeader.setSize(event, 0, size);
        setTableId(event, 0, 0);
        int next = putName(event, SCHEMA_LENGTH_AT, schema);
        next = putName(event, next, table);
        event.put(next, view, body, end - body);
        return event;
    }

    /**
     * Makes a table map with the header, id and flags of the event at {@code at}, with other names and another body, log_pos 0; without checksum.
     *
     * @param view read only
     * @param schema at most 255 bytes of UTF-8
     * @param table at most 255 bytes of UTF-8
     * @param body the part after the names
     * @return from 0 to its limit
     */
    public static ByteBuffer withBody(ByteBuffer view, int at, byte[] schema, byte[] table, byte[] body) {
        int size = SCHEMA_AT + schema.length + 2 + table.length + 1 + body.length;
        ByteBuffer event = ByteBuffer.allocate(size);
        event.put(0, view, at, SCHEMA_LENGTH_AT);
        EventHeader.setSize(event, 0, size);
        EventHeader.setLogPos(event, 0, 0);
        int next = putName(event, SCHEMA_LENGTH_AT, schema);
        next = putName(event, next, table);
        event.put(next, body);
        return event;
    }

    private static int putName(ByteBuffer buf, int at, byte[] name) {
        LittleEndian.putU8(buf, at, name.length);
        buf.put(at + 1, name);
        LittleEndian.putU8(buf, at + 1 + name.length, 0);
        return at + name.length + 2;
    }

    private static int metadataLengthAt(ByteBuffer view, int at) {
        return typesAt(view, at) + columnCount(view, at);
    }
}
