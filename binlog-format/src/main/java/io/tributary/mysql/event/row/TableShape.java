package io.tributary.mysql.event.row;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.Text;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;

/** The columns of a table map, parsed once, for decoders of rows. Immutable. */
public final class TableShape {
    /** Width of a column whose type cannot be decoded in rows. */
    public static final int UNKNOWN_WIDTH = Integer.MIN_VALUE;

    private final String schema;
    private final String table;
    private final int[] types;
    private final int[] metadata;
    private final boolean[] unsigned;
    private final int[] collations;
    private final boolean[] nullable;
    private final int[] details;
    private final List<List<byte[]>> values;
    private final String[] names;
    private final boolean charactersCountGeometries;
    private boolean saysSigns;

    private TableShape(ByteBuffer view, int at, int end) {
        int columns = TableMapEvent.columnCount(view, at);
        schema = TableMapEvent.schema(view, at);
        table = TableMapEvent.table(view, at);
        types = new int[columns];
        metadata = new int[columns];
        unsigned = new boolean[columns];
        collations = new int[columns];
        nullable = new boolean[columns];
        details = new int[columns];
        values = new ArrayList<>(Collections.nCopies(columns, List.of()));
        names = new String[columns];
        Arrays.fill(names, "");
        for (int i = 0; i < columns; i++) {
            nullable[i] = (LittleEndian.getU8(view, TableMapEvent.nullBitmapAt(view, at) + i / 8) >> i % 8 & 1) != 0;
        }
        readTypes(view, TableMapEvent.typesAt(view, at), TableMapEvent.metadataAt(view, at));
        int optional = TableMapEvent.optionalAt(view, at);
        charactersCountGeometries = new CharsetForm(types).countsGeometries(view, optional, end);
        for (int field = optional; field < end; field = OptionalMetadata.next(view, field)) {
            readOptional(view, field);
        }
        for (int i = 0; i < columns; i++) {
            collations[i] = types[i] == ColumnType.MYSQL_TYPE_GEOMETRY ? 0 : collations[i];
        }
        saysSigns |= Arrays.stream(types).noneMatch(ColumnType::isNumeric);
    }

    /**
     * Reads a checked table map.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} if its optional metadata contradicts its columns
     */
    public static TableShape of(ByteBuffer view, int at, int end) {
        try {
            return new TableShape(view, at, end);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw Malformed.event(view, at, "optional metadata that fits the columns", e.getMessage());
        }
    }

    /** The schema's name on the server that sent it. */
    public String schema() {
        return schema;
    }

    /** The table's name on the server that sent it. */
    public String table() {
        return table;
    }

    /** 0..4096. */
    public int columnCount() {
        return types.length;
    }

    /** One of {@link ColumnType}; the real type of columns that the event has as MYSQL_TYPE_STRING. */
    public int type(int column) {
        return types[column];
    }

    /**
     * The type's metadata: for VARCHAR and CHAR the maximum bytes; for BLOB, JSON, GEOMETRY and VECTOR the bytes of the length before a
     * value; for DECIMAL precision u8 and scale u8; for BIT the bits above whole bytes u8 and the whole bytes u8; for ENUM and SET the bytes
     * of a value; for temporal types the fraction digits; 0 for other types.
     */
    public int metadata(int column) {
        return metadata[column];
    }

    /**
     * The width of a value in a row image: its bytes, 0 or more; or -1..-4 for a length of 1..4 bytes before it; or {@link #UNKNOWN_WIDTH} for a
     * type that cannot be decoded in rows.
     */
    public int width(int column) {
        return ColumnWidth.of(types[column], metadata[column]);
    }

    /** Whether the table map contains the signedness of its numeric columns (not in 5.7), or has no such column. */
    public boolean saysSigns() {
        return saysSigns;
    }

    /** Whether the column may be null. */
    public boolean isNullable(int column) {
        return nullable[column];
    }

    /**
     * The values of an ENUM or SET column in their order, in the column's character set; empty unless binlog_row_metadata=FULL, and for other
     * columns. The arrays must not be changed.
     */
    public List<byte[]> values(int column) {
        return values.get(column);
    }

    /** For a GEOMETRY column its type (0 = any), for a VECTOR column its dimensions; 0 if the server does not send it, and for other columns. */
    public int detail(int column) {
        return details[column];
    }

    /** False if the server does not send it (5.7). */
    public boolean isUnsigned(int column) {
        return unsigned[column];
    }

    /** Number of the collation of a character, ENUM or SET column; 0 if the server does not send it (5.7) and for other columns. */
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

    /** The first byte contains the real type, and two inverted bits of lengths above 255 (Field_string::do_save_field_metadata). */
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
            case OptionalMetadata.DEFAULT_CHARSET -> readDefaultCharset(view, from, end, this::hasCharset);
            case OptionalMetadata.COLUMN_CHARSET -> readNumbers(view, from, end, this::hasCharset, collations);
            case OptionalMetadata.ENUM_AND_SET_DEFAULT_CHARSET ->
                readDefaultCharset(view, from, end, TableShape::hasValues);
            case OptionalMetadata.ENUM_AND_SET_COLUMN_CHARSET ->
                readNumbers(view, from, end, TableShape::hasValues, collations);
            case OptionalMetadata.SET_STR_VALUE -> readValues(view, from, end, ColumnType.MYSQL_TYPE_SET);
            case OptionalMetadata.ENUM_STR_VALUE -> readValues(view, from, end, ColumnType.MYSQL_TYPE_ENUM);
            case OptionalMetadata.GEOMETRY_TYPE ->
                readNumbers(view, from, end, type -> type == ColumnType.MYSQL_TYPE_GEOMETRY, details);
            case OptionalMetadata.VECTOR_DIMENSIONALITY ->
                readNumbers(view, from, end, type -> type == ColumnType.MYSQL_TYPE_VECTOR, details);
            case OptionalMetadata.COLUMN_NAME -> readNames(view, from, end);
            default -> {
                // rows do not depend on it
            }
        }
    }

    private boolean hasCharset(int type) {
        return ColumnType.isCharacter(type) || charactersCountGeometries && type == ColumnType.MYSQL_TYPE_GEOMETRY;
    }

    private static boolean hasValues(int type) {
        return type == ColumnType.MYSQL_TYPE_ENUM || type == ColumnType.MYSQL_TYPE_SET;
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
        saysSigns = true;
    }

    private void readDefaultCharset(ByteBuffer view, int from, int end, IntPredicate kind) {
        int usual = (int) packed(view, from, end);
        for (int i = 0; i < types.length; i++) {
            if (kind.test(types[i])) {
                collations[i] = usual;
            }
        }
        int next = PackedInteger.end(view, from);
        while (next < end) {
            int column = columnOf(kind, (int) packed(view, next, end));
            next = PackedInteger.end(view, next);
            collations[column] = (int) packed(view, next, end);
            next = PackedInteger.end(view, next);
        }
    }

    private void readNumbers(ByteBuffer view, int from, int end, IntPredicate kind, int[] numbers) {
        int next = from;
        for (int i = 0; next < end; i++) {
            numbers[columnOf(kind, i)] = (int) packed(view, next, end);
            next = PackedInteger.end(view, next);
        }
    }

    private void readValues(ByteBuffer view, int from, int end, int type) {
        int next = from;
        for (int i = 0; next < end; i++) {
            long count = packed(view, next, end);
            next = PackedInteger.end(view, next);
            List<byte[]> texts = new ArrayList<>();
            for (long k = 0; k < count; k++) {
                long length = packed(view, next, end);
                next = PackedInteger.end(view, next);
                if (length != 0) {
                    requireBefore(next + length - 1, end);
                }
                texts.add(Text.bytes(view, next, next + (int) length));
                next += (int) length;
            }
            values.set(columnOf(one -> one == type, i), Collections.unmodifiableList(texts));
        }
    }

    private int columnOf(IntPredicate kind, int index) {
        int left = index;
        for (int i = 0; i < types.length; i++) {
            if (kind.test(types[i]) && left-- == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("column " + index + " of its kind");
    }

    private void readNames(ByteBuffer view, int from, int end) {
        int next = from;
        for (int i = 0; next < end; i++) {
            long length = packed(view, next, end);
            next = PackedInteger.end(view, next);
            requireBefore(next + length - 1, end);
            names[i] = Text.utf8(view, next, next + (int) length);
            next += (int) length;
        }
    }

    private static long packed(ByteBuffer view, int from, int end) {
        requireBefore(from, end);
        return PackedInteger.get(view, from);
    }

    private static void requireBefore(long at, int end) {
        if (at < 0 || at >= end) {
            throw new IllegalArgumentException("a field that ends too early");
        }
    }
}
