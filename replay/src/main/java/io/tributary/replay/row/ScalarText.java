package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.StoredTime;
import java.nio.ByteBuffer;

/**
 * Writes the values of a column of numbers or times as the text that a server shows for them; ENUM, SET and BIT as numbers, FLOAT and DOUBLE with all
 * digits and an exponent.
 *
 * @param type one of {@link ColumnType}
 * @param width bytes of a value
 * @param metadata as in {@link TableShape#metadata}
 * @param unsigned whether an integer has no sign; for a SET of 8 bytes whether its number is written so, and not as servers compare it
 */
public record ScalarText(int type, int width, int metadata, boolean unsigned) {
    private static final long DATETIME_ZERO = 0x80_0000_0000L;
    private static final long TIME_ZERO = 0x80_0000L;
    private static final int DATETIME_BYTES = 5;
    private static final int TIMESTAMP_BYTES = 4;
    private static final int TIME_BYTES = 3;

    /** For a column of a table map. */
    public static ScalarText of(TableShape shape, int index, boolean unsigned) {
        return new ScalarText(shape.type(index), shape.width(index), shape.metadata(index), unsigned);
    }

    /** Whether a column of this type has numbers. */
    static boolean isNumber(int type) {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_TINY,
                    ColumnType.MYSQL_TYPE_SHORT,
                    ColumnType.MYSQL_TYPE_INT24,
                    ColumnType.MYSQL_TYPE_LONG,
                    ColumnType.MYSQL_TYPE_LONGLONG,
                    ColumnType.MYSQL_TYPE_NEWDECIMAL,
                    ColumnType.MYSQL_TYPE_FLOAT,
                    ColumnType.MYSQL_TYPE_DOUBLE,
                    ColumnType.MYSQL_TYPE_YEAR,
                    ColumnType.MYSQL_TYPE_ENUM,
                    ColumnType.MYSQL_TYPE_SET,
                    ColumnType.MYSQL_TYPE_BIT -> true;
            default -> false;
        };
    }

    /** Whether a column of this type has dates or times, YEAR not among them. */
    static boolean isTime(int type) {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_DATE,
                    ColumnType.MYSQL_TYPE_NEWDATE,
                    ColumnType.MYSQL_TYPE_TIME2,
                    ColumnType.MYSQL_TYPE_DATETIME2,
                    ColumnType.MYSQL_TYPE_TIMESTAMP2 -> true;
            default -> false;
        };
    }

    /** Writes the value at {@code at}; nothing for another type. EVENT_MALFORMED for one that no server stores and that has no text. */
    public void append(ByteBuf out, ByteBuffer view, int at) {
        switch (type) {
            case ColumnType.MYSQL_TYPE_TINY,
                    ColumnType.MYSQL_TYPE_SHORT,
                    ColumnType.MYSQL_TYPE_INT24,
                    ColumnType.MYSQL_TYPE_LONG,
                    ColumnType.MYSQL_TYPE_LONGLONG -> integer(out, little(view, at, width));
            case ColumnType.MYSQL_TYPE_ENUM -> AsciiText.unsigned(out, little(view, at, width));
            case ColumnType.MYSQL_TYPE_SET -> set(out, little(view, at, width));
            case ColumnType.MYSQL_TYPE_BIT -> AsciiText.unsigned(out, big(view, at, width));
            case ColumnType.MYSQL_TYPE_FLOAT ->
                DoubleText.literal(out, Float.intBitsToFloat(LittleEndian.getInt(view, at)));
            case ColumnType.MYSQL_TYPE_DOUBLE ->
                DoubleText.literal(out, Double.longBitsToDouble(LittleEndian.getLong(view, at)));
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> DecimalText.append(out, view, at, metadata & 0xff, metadata >> 8);
            case ColumnType.MYSQL_TYPE_YEAR -> TimeText.year(out, LittleEndian.getU8(view, at));
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE ->
                TimeText.date(out, LittleEndian.getU24(view, at));
            case ColumnType.MYSQL_TYPE_TIME2 -> time(out, view, at);
            case ColumnType.MYSQL_TYPE_DATETIME2 -> datetime(out, view, at);
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> {
                TimeText.seconds(out, big(view, at, TIMESTAMP_BYTES));
                fraction(out, view, at + TIMESTAMP_BYTES);
            }
            default -> {
                // has no such text
            }
        }
    }

    /** A little-endian integer of 1..8 bytes. */
    static long little(ByteBuffer view, int at, int bytes) {
        return switch (bytes) {
            case 1 -> LittleEndian.getU8(view, at);
            case 2 -> LittleEndian.getU16(view, at);
            case 4 -> LittleEndian.getU32(view, at);
            case 8 -> LittleEndian.getLong(view, at);
            default -> {
                long value = 0;
                for (int i = bytes - 1; i >= 0; i--) {
                    value = value << 8 | view.get(at + i) & 0xff;
                }
                yield value;
            }
        };
    }

    private static long big(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | view.get(at + i) & 0xff;
        }
        return value;
    }

    private void integer(ByteBuf out, long value) {
        if (unsigned) {
            AsciiText.unsigned(out, value);
        } else {
            int unused = Long.SIZE - Byte.SIZE * width;
            AsciiText.integer(out, value << unused >> unused);
        }
    }

    private void set(ByteBuf out, long value) {
        if (unsigned) {
            AsciiText.unsigned(out, value);
        } else {
            AsciiText.integer(out, value);
        }
    }

    private void datetime(ByteBuf out, ByteBuffer view, int at) {
        long packed = big(view, at, DATETIME_BYTES) - DATETIME_ZERO;
        if (packed < 0) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected a DATETIME from the year 0 on, found " + packed);
        }
        TimeText.packed(out, packed);
        fraction(out, view, at + DATETIME_BYTES);
    }

    private void time(ByteBuf out, ByteBuffer view, int at) {
        int fraction = StoredTime.fractionBytes(metadata);
        int bits = Byte.SIZE * fraction;
        long value = big(view, at, TIME_BYTES + fraction) - (TIME_ZERO << bits);
        long size = Math.abs(value);
        if (value < 0) {
            out.writeByte('-');
        }
        TimeText.clock(out, size >> bits);
        TimeText.fraction(out, (size & (1L << bits) - 1) * StoredTime.microsOfUnit(fraction), metadata);
    }

    private void fraction(ByteBuf out, ByteBuffer view, int at) {
        int bytes = StoredTime.fractionBytes(metadata);
        TimeText.fraction(out, big(view, at, bytes) * StoredTime.microsOfUnit(bytes), metadata);
    }
}
