package io.tributary.mysql.event;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** What a table map says of the columns, read once, for those who decode rows. Immutable. */
public final class TableShape {
    private final String schema;
    private final String table;
    private final int[] types;
    private final int[] metadata;
    private final boolean[] unsigned;
    private final int[] collations;
    private final String[] names;

    private TableShape(ByteBuffer view, int at, int end) {
        int columns = TableMapEvent.columnCount(view, at);
        schema = TableMapEvent.schema(view, at);
        table = TableMapEvent.table(view, at);
        types = new int[columns];
        metadata = new int[columns];
        unsigned = new boolean[columns];
        collations = new int[columns];
        names = new String[columns];
        Arrays.fill(names, "");
        readTypes(view, TableMapEvent.typesAt(view, at), TableMapEvent.metadataAt(view, at));
        int field = TableMapEvent.optionalAt(view, at);
        while (field < end) {
            readOptional(view, field);
            field = OptionalMetadata.next(view, field);
        }
    }

    /**
     * Reads a checked table map.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} when its optional metadata contradicts its columns
     */
    public static TableShape of(ByteBuffer view, int at, int end) {
        try {
            return new TableShape(view, at, end);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw Malformed.event(view, at, "optional metadata that fits the columns", e.getMessage());
        }
    }

    /** As the server that sent it calls it. */
    public String schema() {
        return schema;
    }

    /** As the server that sent it calls it. */
    public String table() {
        return table;
    }

    /** 0..4096. */
    public int columnCount() {
        return types.length;
    }

    /** One of {@link ColumnType}; the real one of columns that the event has as MYSQL_TYPE_STRING. */
    public int type(int column) {
        return types[column];
    }

    /** Bytes of length or fraction digits or values: what the type needs, see {@link ColumnValue}. */
    int metadata(int column) {
        return metadata[column];
    }

    /** False where the server does not say (5.7). */
    public boolean isUnsigned(int column) {
        return unsigned[column];
    }

    /** Number of a character column's collation; 0 where the server does not say (5.7) and for other columns. */
    public int collation(int column) {
        return collations[column];
    }

    /** "" unless binlog_row_metadata=FULL. */
    public String name(int column) {
        return names[column];
    }

    private void readTypes(ByteBuffer view, int typesAt, int metadataAt) {
        int from = metadataAt;
        for (int i = 0; i < types.length; i++) {
            int type = LittleEndian.getU8(view, typesAt + i);
            int length = ColumnType.metadataLength(type);
            types[i] = type;
            metadata[i] =
                    length == 0 ? 0 : length == 1 ? LittleEndian.getU8(view, from) : LittleEndian.getU16(view, from);
            if (type == ColumnType.MYSQL_TYPE_STRING) {
                readString(i, metadata[i] & 0xff, metadata[i] >> 8);
            } else if (type == ColumnType.MYSQL_TYPE_ENUM || type == ColumnType.MYSQL_TYPE_SET) {
                metadata[i] >>= 8;
            } else if (type == ColumnType.MYSQL_TYPE_TYPED_ARRAY) {
                length = 1 + ColumnType.metadataLength(LittleEndian.getU8(view, from));
            }
            from += length;
        }
    }

    /** The first byte holds the real type, and two inverted bits of lengths past 255 (Field_string::do_save_field_metadata). */
    private void readString(int column, int first, int second) {
        if (first == ColumnType.MYSQL_TYPE_ENUM || first == ColumnType.MYSQL_TYPE_SET) {
            types[column] = first;
            metadata[column] = second;
        } else {
            metadata[column] = second | ((first & 0x30) ^ 0x30) << 4;
        }
    }

    private void readOptional(ByteBuffer view, int field) {
        int from = OptionalMetadata.valueAt(view, field);
        int end = OptionalMetadata.next(view, field);
        switch (OptionalMetadata.type(view, field)) {
            case OptionalMetadata.SIGNEDNESS -> readSignedness(view, from, end);
            case OptionalMetadata.DEFAULT_CHARSET -> readDefaultCharset(view, from, end);
            case OptionalMetadata.COLUMN_CHARSET -> readCharsets(view, from, end);
            case OptionalMetadata.COLUMN_NAME -> readNames(view, from, end);
            default -> {
                // of no use to decode a row
            }
        }
    }

    private void readSignedness(ByteBuffer view, int from, int end) {
        int bit = 0;
        for (int i = 0; i < types.length; i++) {
            if (ColumnType.isNumeric(types[i])) {
                requireBefore(from + bit / 8, end);
                unsigned[i] = (view.get(from + bit / 8) & (0x80 >> (bit % 8))) != 0;
                bit++;
            }
        }
    }

    private void readDefaultCharset(ByteBuffer view, int from, int end) {
        int usual = (int) packed(view, from, end);
        for (int i = 0; i < types.length; i++) {
            if (ColumnType.isCharacter(types[i])) {
                collations[i] = usual;
            }
        }
        int next = behind(view, from);
        while (next < end) {
            int column = characterColumn((int) packed(view, next, end));
            next = behind(view, next);
            collations[column] = (int) packed(view, next, end);
            next = behind(view, next);
        }
    }

    private void readCharsets(ByteBuffer view, int from, int end) {
        int next = from;
        for (int i = 0; next < end; i++) {
            collations[characterColumn(i)] = (int) packed(view, next, end);
            next = behind(view, next);
        }
    }

    private int characterColumn(int index) {
        int left = index;
        for (int i = 0; i < types.length; i++) {
            if (ColumnType.isCharacter(types[i]) && left-- == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("character column " + index);
    }

    private void readNames(ByteBuffer view, int from, int end) {
        int next = from;
        for (int i = 0; next < end; i++) {
            long length = packed(view, next, end);
            next = behind(view, next);
            requireBefore(next + length - 1, end);
            names[i] = Text.utf8(view, next, next + (int) length);
            next += (int) length;
        }
    }

    private static long packed(ByteBuffer view, int from, int end) {
        requireBefore(from, end);
        return PackedInteger.get(view, from);
    }

    private static int behind(ByteBuffer view, int packedAt) {
        return packedAt + PackedInteger.lengthByFirst(LittleEndian.getU8(view, packedAt));
    }

    private static void requireBefore(long at, int end) {
        if (at < 0 || at >= end) {
            throw new IllegalArgumentException("a field that ends too early");
        }
    }
}
