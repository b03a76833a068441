package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;
import java.util.Locale;

/** Converts a value of COM_STMT_EXECUTE to a literal for a statement's text (manual page "Binary Protocol Value"). */
final class PreparedValue {
    private static final int UNSIGNED = 0x8000;
    private static final int HOURS_A_DAY = 24;

    private PreparedValue() {}

    /**
     * Reads one value.
     *
     * @param type MySQL's number of the type, and 0x8000 for an unsigned one
     * @throws TributaryException PROTOCOL_VIOLATED if it cannot be read
     */
    static String literal(int type, ByteBuf in) {
        boolean unsigned = (type & UNSIGNED) != 0;
        return switch (type & 0xff) {
            case 1 ->
                Integer.toString(
                        unsigned ? need(in, 1).readUnsignedByte() : need(in, 1).readByte());
            case 2, 13 ->
                Integer.toString(
                        unsigned
                                ? need(in, 2).readUnsignedShortLE()
                                : need(in, 2).readShortLE());
            case 3, 9 ->
                Long.toString(
                        unsigned ? need(in, 4).readUnsignedIntLE() : need(in, 4).readIntLE());
            case 4 -> Float.toString(need(in, 4).readFloatLE());
            case 5 -> Double.toString(need(in, 8).readDoubleLE());
            case 6 -> "NULL";
            case 7, 10, 12 -> date(in);
            case 8 -> {
                long value = need(in, 8).readLongLE();
                yield unsigned ? Long.toUnsignedString(value) : Long.toString(value);
            }
            case 11 -> time(in);
            default -> quoted(LengthEncoding.readString(in));
        };
    }

    /** DATE, DATETIME, TIMESTAMP: omitted fields at the end are 0. */
    private static String date(ByteBuf in) {
        int length = length(in, 4, 7, 11);
        String date = length == 0
                ? "0000-00-00"
                : format("%04d-%02d-%02d", in.readUnsignedShortLE(), in.readUnsignedByte(), in.readUnsignedByte());
        String time = length <= 4
                ? ""
                : format(" %02d:%02d:%02d", in.readUnsignedByte(), in.readUnsignedByte(), in.readUnsignedByte());
        return quoted(date + time + (length > 7 ? fraction(in) : ""));
    }

    private static String time(ByteBuf in) {
        int length = length(in, 8, 12);
        if (length == 0) {
            return quoted("00:00:00");
        }
        String sign = in.readUnsignedByte() == 0 ? "" : "-";
        long days = in.readUnsignedIntLE();
        String time = format(
                "%02d:%02d:%02d",
                days * HOURS_A_DAY + in.readUnsignedByte(), in.readUnsignedByte(), in.readUnsignedByte());
        return quoted(sign + time + (length > 8 ? fraction(in) : ""));
    }

    private static String fraction(ByteBuf in) {
        return format(".%06d", in.readUnsignedIntLE());
    }

    /** Reads the length of a date or time; 0 or one of {@code possible}. */
    private static int length(ByteBuf in, int... possible) {
        int length = need(in, 1).readUnsignedByte();
        boolean isPossible = length == 0;
        for (int each : possible) {
            isPossible |= length == each;
        }
        if (!isPossible) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "prepared statement: expected a date or time, found one of " + length + " bytes");
        }
        LengthEncoding.need(in, length);
        return length;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private static ByteBuf need(ByteBuf in, int bytes) {
        LengthEncoding.need(in, bytes);
        return in;
    }

    /** Quotes a text as a string literal. */
    static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0") + "'";
    }
}
