package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.ColumnType;
import io.tributary.schema.rows.convert.DecimalDigits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes the text of a JSON value in MySQL's binary form (sql/json_binary.h), as the server shows it (sql/json_dom.cc). For one value.
 *
 * <p>A server that reads the text of {@link #append} stores an equal value. It does not keep what JSON text does not have: unsigned integers up to 2^63-1
 * become signed ones, which are equal to them; a DECIMAL becomes an integer or a DOUBLE, which has fewer digits; dates, times and other values of SQL
 * types become strings, which are not equal to them. A DOUBLE has other digits than the server shows if the server would read another number of
 * those; for about one of 10,000 random DOUBLEs no such digits are found, and the server reads the next number to it.
 */
public final class StoredJson {
    private static final int SMALL_OBJECT = 0;
    private static final int LARGE_OBJECT = 1;
    private static final int SMALL_ARRAY = 2;
    private static final int LARGE_ARRAY = 3;
    private static final int LITERAL = 4;
    private static final int INT16 = 5;
    private static final int UINT16 = 6;
    private static final int INT32 = 7;
    private static final int UINT32 = 8;
    private static final int INT64 = 9;
    private static final int UINT64 = 10;
    private static final int DOUBLE = 11;
    private static final int STRING = 12;
    private static final int OPAQUE = 15;

    private static final String[] LITERALS = {"null", "true", "false"};
    /** The server allows no deeper nesting (JSON_DOCUMENT_MAX_DEPTH). */
    private static final int DEEPEST = 100;

    private static final int PACKED_BYTES = 8;
    private static final int FRACTION_BITS = 24;
    private static final int MOST_DIGITS = 65;
    private static final int MOST_DECIMALS = 30;
    private static final int MOST_LENGTH_BYTES = 5;
    private static final int BASE64_LINE = 76;

    private final ByteBuf out;
    private final ByteBuffer view;
    private final int start;
    private final int length;
    /** Bytes that values may still have: without it, values that share bytes could have any number of elements. */
    private long unread;

    private boolean isAsShown;
    /** The result of {@link #length}. */
    private int dataBytes;

    private StoredJson(ByteBuf out, ByteBuffer view, int start, int length) {
        this.out = out;
        this.view = view;
        this.start = start;
        this.length = length;
        this.unread = length;
    }

    /**
     * Writes the text in UTF-8.
     *
     * @param view only read
     * @param at offset of the value, after the length before it
     * @param length its bytes; a value of 0 bytes is null, as for the server
     * @throws TributaryException EVENT_MALFORMED for a value that the server does not write; what was written of it before remains
     */
    public static void append(ByteBuf out, ByteBuffer view, int at, int length) {
        new StoredJson(out, view, at, length).append(false);
    }

    /** The same for a column of characters: a DOUBLE with the digits that the server shows. */
    public static void appendShown(ByteBuf out, ByteBuffer view, int at, int length) {
        new StoredJson(out, view, at, length).append(true);
    }

    /** The text of {@link #append}. */
    public static String text(ByteBuffer view, int at, int length) {
        ByteBuf out = Unpooled.buffer();
        append(out, view, at, length);
        return out.toString(StandardCharsets.UTF_8);
    }

    private void append(boolean asShown) {
        isAsShown = asShown;
        if (length < 0 || start < 0 || start > view.limit() - length) {
            throw malformed("a value within its row", "other bounds", start);
        }
        if (length == 0) {
            AsciiText.text(out, LITERALS[0]);
        } else {
            value(LittleEndian.getU8(view, start), start + 1, start + length, 1);
        }
    }

    /** Writes a value whose bytes begin at {@code at} and end at the latest at {@code end}. */
    private void value(int type, int at, int end, int depth) {
        switch (type) {
            case SMALL_OBJECT, LARGE_OBJECT, SMALL_ARRAY, LARGE_ARRAY -> container(type, at, end, depth);
            case LITERAL -> literal(room(at, end, 1));
            case INT16 -> AsciiText.integer(out, (short) LittleEndian.getU16(view, room(at, end, 2)));
            case UINT16 -> AsciiText.integer(out, LittleEndian.getU16(view, room(at, end, 2)));
            case INT32 -> AsciiText.integer(out, LittleEndian.getInt(view, room(at, end, 4)));
            case UINT32 -> AsciiText.integer(out, LittleEndian.getU32(view, room(at, end, 4)));
            case INT64 -> AsciiText.integer(out, LittleEndian.getLong(view, room(at, end, 8)));
            case UINT64 -> AsciiText.unsigned(out, LittleEndian.getLong(view, room(at, end, 8)));
            case DOUBLE -> real(Double.longBitsToDouble(LittleEndian.getLong(view, room(at, end, 8))));
            case STRING -> string(at, end);
            case OPAQUE -> opaque(at, end);
            default -> throw malformed("a type of JSON values", "type " + type, at - 1);
        }
    }

    private void real(double value) {
        if (isAsShown) {
            RealText.appendPointed(out, value);
        } else {
            AsciiText.text(out, DoubleText.json(value));
        }
    }

    private void literal(int at) {
        int literal = LittleEndian.getU8(view, at);
        if (literal >= LITERALS.length) {
            throw malformed("null, true or false", "literal " + literal, at);
        }
        AsciiText.text(out, LITERALS[literal]);
    }

    private void container(int type, int at, int end, int depth) {
        if (depth > DEEPEST) {
            throw malformed("at most " + DEEPEST + " levels of objects and arrays", "more", at);
        }
        boolean isObject = type == SMALL_OBJECT || type == LARGE_OBJECT;
        int bytes = type == LARGE_OBJECT || type == LARGE_ARRAY ? 4 : 2;
        room(at, end, 2L * bytes);
        long count = number(at, bytes);
        long size = number(at + bytes, bytes);
        int keyEntry = isObject ? bytes + 2 : 0;
        long header = 2L * bytes + count * (keyEntry + 1 + bytes);
        if (size < header || size > end - at) {
            throw malformed(count + " elements in " + (end - at) + " bytes", "a size of " + size, at);
        }
        out.writeByte(isObject ? '{' : '[');
        Container all = new Container(at, (int) size, (int) header, bytes);
        int keys = at + 2 * bytes;
        int values = keys + (int) count * keyEntry;
        for (int i = 0; i < count; i++) {
            AsciiText.text(out, i == 0 ? "" : ", ");
            if (isObject) {
                key(all, keys + i * keyEntry);
            }
            element(all, values + i * (1 + bytes), depth);
        }
        out.writeByte(isObject ? '}' : ']');
    }

    /**
     * An object or array.
     *
     * @param at where it begins
     * @param size its bytes
     * @param header bytes before its first key or value
     * @param offsetBytes bytes of an offset: 2 or 4
     */
    private record Container(int at, int size, int header, int offsetBytes) {}

    private void key(Container all, int entryAt) {
        long offset = number(entryAt, all.offsetBytes);
        int bytes = LittleEndian.getU16(view, entryAt + all.offsetBytes);
        if (offset < all.header || offset + bytes > all.size) {
            throw malformed("a key within its object", "offset " + offset, entryAt);
        }
        spend(all.offsetBytes + 2L + bytes, entryAt);
        JsonString.quoted(out, view, all.at + (int) offset, bytes);
        AsciiText.text(out, ": ");
    }

    private void element(Container all, int entryAt, int depth) {
        int type = LittleEndian.getU8(view, entryAt);
        int valueAt = entryAt + 1;
        spend(1L + all.offsetBytes, entryAt);
        if (isInlined(type, all.offsetBytes)) {
            value(type, valueAt, valueAt + all.offsetBytes, depth + 1);
            return;
        }
        long offset = number(valueAt, all.offsetBytes);
        if (offset < all.header || offset >= all.size) {
            throw malformed("a value within its object or array", "offset " + offset, entryAt);
        }
        value(type, all.at + (int) offset, all.at + all.size, depth + 1);
    }

    private static boolean isInlined(int type, int offsetBytes) {
        return switch (type) {
            case LITERAL, INT16, UINT16 -> true;
            case INT32, UINT32 -> offsetBytes == 4;
            default -> false;
        };
    }

    private long number(int at, int bytes) {
        return bytes == 2 ? LittleEndian.getU16(view, at) : LittleEndian.getU32(view, at);
    }

    private void string(int at, int end) {
        int from = length(at, end);
        spend(dataBytes, at);
        JsonString.quoted(out, view, from, dataBytes);
    }

    /** Reads a length in groups of 7 bits, the lowest first, into {@link #dataBytes}; returns where the data begin, which end before {@code end}. */
    private int length(int at, int end) {
        long bytes = 0;
        for (int i = 0; i < MOST_LENGTH_BYTES; i++) {
            int group = LittleEndian.getU8(view, room(at + i, end, 1));
            bytes |= (long) (group & 0x7f) << 7 * i;
            if (group < 0x80) {
                int from = at + i + 1;
                room(from, end, bytes);
                dataBytes = (int) bytes;
                return from;
            }
        }
        throw malformed("a length of at most " + MOST_LENGTH_BYTES + " bytes", "more", at);
    }

    /** A value of an SQL type: the type, the length, the data. */
    private void opaque(int at, int end) {
        int type = LittleEndian.getU8(view, room(at, end, 1));
        int from = length(at + 1, end);
        spend(dataBytes, at);
        switch (type) {
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> decimal(from);
            case ColumnType.MYSQL_TYPE_DATE,
                    ColumnType.MYSQL_TYPE_TIME,
                    ColumnType.MYSQL_TYPE_DATETIME,
                    ColumnType.MYSQL_TYPE_TIMESTAMP -> temporal(type, from);
            default -> base64(type, from);
        }
    }

    /** Precision, scale and the stored form of a column. */
    private void decimal(int from) {
        int precision = dataBytes < 2 ? 0 : LittleEndian.getU8(view, from);
        int scale = dataBytes < 2 ? 0 : LittleEndian.getU8(view, from + 1);
        boolean isValid = precision > 0 && precision <= MOST_DIGITS && scale <= Math.min(precision, MOST_DECIMALS);
        if (!isValid || dataBytes < 2 + DecimalDigits.bytes(precision, scale)) {
            throw malformed(
                    "a DECIMAL", "precision " + precision + ", scale " + scale + ", " + dataBytes + " bytes", from);
        }
        DecimalText.append(out, view, from + 2, precision, scale);
    }

    private void temporal(int type, int from) {
        if (dataBytes != PACKED_BYTES) {
            throw malformed("a time of " + PACKED_BYTES + " bytes", dataBytes + " bytes", from);
        }
        long packed = LittleEndian.getLong(view, from);
        long size = Math.abs(packed);
        long seconds = size >>> FRACTION_BITS;
        long micros = size & (1 << FRACTION_BITS) - 1;
        out.writeByte('"');
        if (packed < 0) {
            out.writeByte('-');
        }
        switch (type) {
            case ColumnType.MYSQL_TYPE_DATE -> TimeText.packedDate(out, seconds);
            case ColumnType.MYSQL_TYPE_TIME -> TimeText.clock(out, seconds);
            default -> TimeText.packed(out, seconds);
        }
        TimeText.fraction(out, micros, type == ColumnType.MYSQL_TYPE_DATE ? 0 : TimeText.MOST_DIGITS);
        out.writeByte('"');
    }

    /** In lines, as the server's base64_encode writes it. */
    private void base64(int type, int from) {
        byte[] data = new byte[dataBytes];
        view.get(from, data);
        AsciiText.text(out, "\"base64:type" + type + ":");
        byte[] digits = Base64.getEncoder().encode(data);
        for (int i = 0; i < digits.length; i += BASE64_LINE) {
            AsciiText.text(out, i == 0 ? "" : "\\n");
            out.writeBytes(digits, i, Math.min(BASE64_LINE, digits.length - i));
        }
        out.writeByte('"');
    }

    /** Rejects bytes that end after {@code end}; returns {@code at}. */
    private int room(int at, int end, long bytes) {
        if (bytes > end - at) {
            throw malformed(bytes + " bytes", Math.max(0, end - at) + " before the end", at);
        }
        return at;
    }

    private void spend(long bytes, int at) {
        unread -= bytes;
        if (unread < 0) {
            throw malformed("values that share no bytes", "more bytes in them than in all", at);
        }
    }

    private TributaryException malformed(String expected, String found, int at) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED,
                "JSON value of " + length + " bytes: expected " + expected + " at byte " + (at - start) + ", found "
                        + found);
    }
}
