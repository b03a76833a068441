package io.tributary.mysql.event.row;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.Text;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Set;

/** Decodes one value of a row image by its column's type (calc_field_size in libbinlogevents, Field::unpack in sql/field.cc). */
final class ColumnValue {
    /** The character sets whose values are decoded to text; all others stay bytes. */
    private static final Set<String> TEXT_CHARSETS = Set.of("utf8mb3", "utf8mb4", "ascii", "latin1");

    private ColumnValue() {}

    /** Offset after the value that begins at {@code from}; rejects a value that exceeds the event. */
    static int behind(ByteBuffer view, int at, int end, int from, TableShape shape, int column) {
        int width = shape.width(column);
        if (width == TableShape.UNKNOWN_WIDTH) {
            throw new TributaryException(
                    ErrorCode.EVENT_UNKNOWN,
                    Malformed.name(view, at) + ": expected a column type whose rows can be read, found type "
                            + shape.type(column) + " of column " + column + " of " + shape.schema() + "."
                            + shape.table());
        }
        long length = width;
        if (width < 0) {
            Malformed.room(view, at, end, from, -width, "length of a column");
            length = -width + prefixed(view, from, -width);
        }
        Malformed.room(view, at, end, from, length, "value of a column");
        return from + (int) length;
    }

    private static long prefixed(ByteBuffer view, int from, int prefix) {
        return switch (prefix) {
            case 1 -> LittleEndian.getU8(view, from);
            case 2 -> LittleEndian.getU16(view, from);
            case 3 -> LittleEndian.getU24(view, from);
            default -> LittleEndian.getU32(view, from);
        };
    }

    /** The value in {@code from..behind-1}, whose length matches its type. */
    static Object read(ByteBuffer view, int at, int from, int behind, TableShape shape, int column) {
        int metadata = shape.metadata(column);
        int width = shape.width(column);
        if (width < 0) {
            return text(Text.bytes(view, from - width, behind), shape.collation(column));
        }
        return switch (shape.type(column)) {
            case ColumnType.MYSQL_TYPE_NULL -> null;
            case ColumnType.MYSQL_TYPE_YEAR -> year(LittleEndian.getU8(view, from));
            case ColumnType.MYSQL_TYPE_FLOAT -> Float.intBitsToFloat(LittleEndian.getInt(view, from));
            case ColumnType.MYSQL_TYPE_DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(view, from));
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> DecimalValue.read(view, at, from, metadata & 0xff, metadata >> 8);
            case ColumnType.MYSQL_TYPE_BIT -> bigEndian(view, from, behind);
            case ColumnType.MYSQL_TYPE_ENUM, ColumnType.MYSQL_TYPE_SET -> littleEndian(view, from, behind);
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> TimeValue.date(view, from);
            case ColumnType.MYSQL_TYPE_TIME -> TimeValue.time(view, from);
            case ColumnType.MYSQL_TYPE_TIME2 -> TimeValue.time2(view, from, metadata);
            case ColumnType.MYSQL_TYPE_DATETIME -> TimeValue.datetime(view, from);
            case ColumnType.MYSQL_TYPE_DATETIME2 -> TimeValue.datetime2(view, from, metadata);
            case ColumnType.MYSQL_TYPE_TIMESTAMP -> TimeValue.timestamp(LittleEndian.getU32(view, from), 0, 0);
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> TimeValue.timestamp2(view, from, metadata);
            default -> integer(view, from, behind, shape.isUnsigned(column));
        };
    }

    private static Object integer(ByteBuffer view, int from, int behind, boolean unsigned) {
        long raw = littleEndian(view, from, behind);
        int unused = Long.SIZE - Byte.SIZE * (behind - from);
        if (!unsigned) {
            return raw << unused >> unused;
        }
        return raw < 0 ? new BigInteger(Long.toUnsignedString(raw)) : (Object) raw;
    }

    private static Long year(int stored) {
        return stored == 0 ? 0L : 1900L + stored;
    }

    private static Long littleEndian(ByteBuffer view, int from, int behind) {
        long value = 0;
        for (int i = behind - 1; i >= from; i--) {
            value = value << Byte.SIZE | LittleEndian.getU8(view, i);
        }
        return value;
    }

    static Long bigEndian(ByteBuffer view, int from, int behind) {
        long value = 0;
        for (int i = from; i < behind; i++) {
            value = value << Byte.SIZE | LittleEndian.getU8(view, i);
        }
        return value;
    }

    private static Object text(byte[] bytes, int collation) {
        Collation known = Collations.of(collation).orElse(null);
        if (known == null || !TEXT_CHARSETS.contains(known.charset())) {
            return bytes;
        }
        return new String(bytes, Collations.charset(known.charset()).orElseThrow());
    }
}
