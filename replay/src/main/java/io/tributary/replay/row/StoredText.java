package io.tributary.replay.row;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.rows.convert.DecimalDigits;
import io.tributary.schema.rows.convert.StoredTime;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** Values of key columns in rows events, as the texts that {@link RowText#value} makes a server return for them. */
public final class StoredText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final long DATETIME_ZERO = 0x80_0000_0000L;
    private static final long TIME_ZERO = 0x80_0000L;
    private static final int FIRST_YEAR = 1900;
    private static final int DATETIME_BYTES = 5;
    private static final int TIMESTAMP_BYTES = 4;
    private static final int TIME_BYTES = 3;

    private StoredText() {}

    /**
     * The text of a value.
     *
     * @param column its definition now
     * @param shape of the table in the event
     * @param index of the column in it
     * @param at offset of the value, or of the length before it
     * @return null for a type that cannot be decoded, such as FLOAT
     */
    public static String of(Column column, TableShape shape, int index, ByteBuffer view, int at) {
        int metadata = shape.metadata(index);
        return switch (shape.type(index)) {
            case ColumnType.MYSQL_TYPE_TINY,
                    ColumnType.MYSQL_TYPE_SHORT,
                    ColumnType.MYSQL_TYPE_INT24,
                    ColumnType.MYSQL_TYPE_LONG,
                    ColumnType.MYSQL_TYPE_LONGLONG ->
                integer(little(view, at, shape.width(index)), shape.width(index), column.type());
            case ColumnType.MYSQL_TYPE_ENUM, ColumnType.MYSQL_TYPE_SET ->
                Long.toUnsignedString(little(view, at, shape.width(index)));
            case ColumnType.MYSQL_TYPE_BIT -> Long.toUnsignedString(big(view, at, shape.width(index)));
            case ColumnType.MYSQL_TYPE_YEAR -> year(LittleEndian.getU8(view, at));
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> date(LittleEndian.getU24(view, at));
            case ColumnType.MYSQL_TYPE_TIME2 -> time(view, at, metadata);
            case ColumnType.MYSQL_TYPE_DATETIME2 -> datetime(view, at, metadata);
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> timestamp(view, at, metadata);
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> DecimalDigits.text(view, at, metadata & 0xff, metadata >> 8);
            case ColumnType.MYSQL_TYPE_STRING,
                    ColumnType.MYSQL_TYPE_VARCHAR,
                    ColumnType.MYSQL_TYPE_VAR_STRING,
                    ColumnType.MYSQL_TYPE_BLOB -> bytes(column.type(), view, at, -shape.width(index));
            default -> null;
        };
    }

    private static long little(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << 8 | view.get(at + i) & 0xff;
        }
        return value;
    }

    private static long big(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | view.get(at + i) & 0xff;
        }
        return value;
    }

    private static String integer(long value, int bytes, SqlType type) {
        int unused = Long.SIZE - Byte.SIZE * bytes;
        return type.unsigned() ? Long.toUnsignedString(value) : Long.toString(value << unused >> unused);
    }

    private static String year(int value) {
        return value == 0 ? "0000" : Integer.toString(FIRST_YEAR + value);
    }

    private static String date(int value) {
        return format("%04d-%02d-%02d", value >> 9, value >> 5 & 15, value & 31);
    }

    private static String time(ByteBuffer view, int at, int digits) {
        int fraction = StoredTime.fractionBytes(digits);
        int bits = Byte.SIZE * fraction;
        long value = big(view, at, TIME_BYTES + fraction) - (TIME_ZERO << bits);
        long size = Math.abs(value);
        long clock = size >> bits;
        return (value < 0 ? "-" : "")
                + format("%02d:%02d:%02d", clock >> 12, clock >> 6 & 63, clock & 63)
                + fraction(size & (1L << bits) - 1, fraction, digits);
    }

    private static String datetime(ByteBuffer view, int at, int digits) {
        long value = big(view, at, DATETIME_BYTES) - DATETIME_ZERO;
        long months = value >> 22;
        return format("%04d-%02d-%02d", months / 13, months % 13, value >> 17 & 31)
                + format(" %02d:%02d:%02d", value >> 12 & 31, value >> 6 & 63, value & 63)
                + fraction(view, at + DATETIME_BYTES, digits);
    }

    private static String timestamp(ByteBuffer view, int at, int digits) {
        long seconds = big(view, at, TIMESTAMP_BYTES);
        String fraction = fraction(view, at + TIMESTAMP_BYTES, digits);
        if (seconds == 0) {
            return "0000-00-00 00:00:00" + fraction;
        }
        LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        return format("%04d-%02d-%02d", time.getYear(), time.getMonthValue(), time.getDayOfMonth())
                + format(" %02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond())
                + fraction;
    }

    private static String fraction(ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        return fraction(big(view, at, bytes), bytes, digits);
    }

    private static String fraction(long value, int bytes, int digits) {
        return digits == 0
                ? ""
                : "." + format("%06d", value * StoredTime.microsOfUnit(bytes)).substring(0, digits);
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    private static String bytes(SqlType type, ByteBuffer view, int at, int prefix) {
        byte[] value = new byte[(int) little(view, at, prefix)];
        view.get(at + prefix, value);
        if (RowText.isConverted(type)) {
            Charset charset = Collations.charset(type.charset()).orElse(StandardCharsets.UTF_8);
            value = charset.equals(StandardCharsets.UTF_8)
                    ? value
                    : new String(value, charset).getBytes(StandardCharsets.UTF_8);
        }
        // rows events have BINARY without the zeros at its end
        boolean isPadded = type.name().equals("binary") && value.length < type.length();
        return HEX.formatHex(isPadded ? Arrays.copyOf(value, type.length()) : value);
    }
}
