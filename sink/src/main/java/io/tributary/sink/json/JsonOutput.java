package io.tributary.sink.json;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of JSON that are written one after another; the array grows as needed and is used again. For one thread. */
public final class JsonOutput {
    private static final int FIRST_SIZE = 1 << 12;
    /** A larger array is not kept for the next message. */
    static final int MOST_KEPT = 1 << 18;

    private static final int MOST_BYTES = Integer.MAX_VALUE - 16;
    /** Bytes that are escaped at once. */
    private static final int CHUNK = 1 << 10;

    private static final int LONGEST_NUMBER = 20;
    /** Bytes of an escaped byte, such as {@code \u0000}. */
    private static final int LONGEST_ESCAPE = 6;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long SPACES = ONES * ' ';
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';

    private static final byte[] PAIRS = new byte[200];
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(StandardCharsets.US_ASCII);

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private byte[] array = new byte[FIRST_SIZE];
    private int length;

    /** Begins again; releases a large array. */
    public JsonOutput clear() {
        if (array.length > MOST_KEPT) {
            array = new byte[FIRST_SIZE];
        }
        length = 0;
        return this;
    }

    /** Appends what was written since {@link #clear} to a buffer. */
    public void appendTo(ByteBuf out) {
        out.writeBytes(array, 0, length);
    }

    /** What was written since {@link #clear}. */
    public byte[] toBytes() {
        return Arrays.copyOf(array, length);
    }

    private void room(int bytes) {
        if (bytes > array.length - length) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        long least = (long) length + bytes;
        if (least > MOST_BYTES) {
            throw new TributaryException(
                    ErrorCode.SINK_MESSAGE_TOO_LARGE,
                    "expected a message of at most " + MOST_BYTES + " bytes, found one of more than " + least);
        }
        array = Arrays.copyOf(array, (int) Math.max(least, Math.min(2L * array.length, MOST_BYTES)));
    }

    /** Appends bytes as they are. */
    public JsonOutput raw(byte[] bytes) {
        return raw(bytes, 0);
    }

    /** Appends bytes from an offset on as they are. */
    public JsonOutput raw(byte[] bytes, int from) {
        int count = bytes.length - from;
        room(count);
        System.arraycopy(bytes, from, array, length, count);
        length += count;
        return this;
    }

    /** Appends ASCII characters as they are. */
    public JsonOutput ascii(String text) {
        return raw(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Appends one ASCII character. */
    public JsonOutput character(char one) {
        room(1);
        array[length++] = (byte) one;
        return this;
    }

    /** Appends an integer. */
    public JsonOutput integer(long value) {
        if (value < 0) {
            character('-');
            return unsigned(-value); // -2^63 stays, and is correct as an unsigned value
        }
        return unsigned(value);
    }

    /** Appends an integer of 0..2^64-1. */
    public JsonOutput unsigned(long value) {
        room(LONGEST_NUMBER);
        long left = value;
        int last = -1;
        if (left < 0) {
            left = Long.divideUnsigned(value, 10);
            last = (int) (value - 10 * left);
        }
        int digits = digits(left);
        digits(left, digits);
        if (last >= 0) {
            array[length++] = (byte) ('0' + last);
        }
        return this;
    }

    private static int digits(long value) {
        int digits = 1;
        long limit = 10;
        while (digits < 19 && value >= limit) {
            digits++;
            limit *= 10;
        }
        return digits;
    }

    /** Appends an integer of 0..10^digits-1 with zeros in front of it. */
    public JsonOutput padded(long value, int digits) {
        room(digits);
        digits(value, digits);
        return this;
    }

    private void digits(long value, int digits) {
        int at = length + digits;
        length = at;
        int left = digits;
        long high = value;
        while (high > Integer.MAX_VALUE) {
            long next = high / 100;
            at = pair(at, (int) (high - 100 * next));
            high = next;
            left -= 2;
        }
        int low = (int) high;
        for (; left >= 2; left -= 2) {
            int next = low / 100;
            at = pair(at, low - 100 * next);
            low = next;
        }
        if (left == 1) {
            array[at - 1] = (byte) ('0' + low);
        }
    }

    private int pair(int at, int value) {
        array[at - 1] = PAIRS[2 * value + 1];
        array[at - 2] = PAIRS[2 * value];
        return at - 2;
    }

    /** Appends this many zeros. */
    public JsonOutput zeros(int count) {
        room(Math.max(0, count));
        for (int i = 0; i < count; i++) {
            array[length++] = '0';
        }
        return this;
    }

    /** Appends bytes of UTF-8 as the contents of a string. */
    public JsonOutput utf8(ByteBuffer view, int at, int count) {
        room(Math.addExact(count, Long.BYTES));
        view.get(at, array, length, count);
        return escaped(count);
    }

    /** Appends bytes of UTF-8 as the contents of a string. */
    public JsonOutput utf8(byte[] bytes, int at, int count) {
        room(Math.addExact(count, Long.BYTES));
        System.arraycopy(bytes, at, array, length, count);
        return escaped(count);
    }

    /** Appends characters as the contents of a string. */
    public JsonOutput text(String characters) {
        byte[] bytes = characters.getBytes(StandardCharsets.UTF_8);
        return utf8(bytes, 0, bytes.length);
    }

    /** Appends characters as a string. */
    public JsonOutput string(String characters) {
        return character('"').text(characters).character('"');
    }

    /** Escapes the bytes at the end of the array, which are not counted yet. */
    private JsonOutput escaped(int count) {
        int end = length + count;
        int from = plain(length, end);
        if (from == end) {
            length = end;
            return this;
        }
        byte[] rest = Arrays.copyOfRange(array, from, end);
        length = from;
        for (int i = 0; i < rest.length; i += CHUNK) {
            int until = Math.min(rest.length, i + CHUNK);
            room(LONGEST_ESCAPE * (until - i));
            for (int j = i; j < until; j++) {
                escapeIfNeeded(rest[j]);
            }
        }
        return this;
    }

    private void escapeIfNeeded(byte one) {
        if (one >= 0 && one < ' ' || one == '"' || one == '\\') {
            escape(one);
        } else {
            array[length++] = one;
        }
    }

    /** The offset of the first byte that must be escaped, or the end. Reads up to 7 bytes after the end. */
    private int plain(int from, int end) {
        for (int i = from; i < end; i += Long.BYTES) {
            long eight = (long) EIGHT_BYTES.get(array, i);
            long quotes = eight ^ QUOTES;
            long backslashes = eight ^ BACKSLASHES;
            long found =
                    (eight - SPACES & ~eight | quotes - ONES & ~quotes | backslashes - ONES & ~backslashes) & HIGHS;
            if (found != 0) {
                return Math.min(end, i + Long.numberOfTrailingZeros(found) / Byte.SIZE);
            }
        }
        return end;
    }

    private void escape(byte one) {
        array[length++] = '\\';
        switch (one) {
            case '"', '\\' -> array[length++] = one;
            case '\b' -> array[length++] = 'b';
            case '\f' -> array[length++] = 'f';
            case '\n' -> array[length++] = 'n';
            case '\r' -> array[length++] = 'r';
            case '\t' -> array[length++] = 't';
            default -> {
                array[length++] = 'u';
                array[length++] = '0';
                array[length++] = '0';
                array[length++] = HEX[one >> 4];
                array[length++] = HEX[one & 15];
            }
        }
    }

    /** Appends a character for each byte, as its row of a table has it in UTF-8, escaped. */
    public JsonOutput mapped(ByteBuffer view, int at, int count, byte[][] table) {
        for (int i = at; i < at + count; i++) {
            byte[] one = table[view.get(i) & 0xff];
            room(LONGEST_ESCAPE);
            if (one.length == 1) {
                array[length++] = one[0];
            } else {
                System.arraycopy(one, 0, array, length, one.length);
                length += one.length;
            }
        }
        return this;
    }

    /**
     * Appends bytes in base64, with padding.
     *
     * @param zeros bytes of 0 after them
     */
    public JsonOutput base64(ByteBuffer view, int at, int count, int zeros) {
        int all = count + zeros;
        int end = at + count;
        for (int i = 0; i < all; i += 3) {
            room(4);
            int first = at + i < end ? view.get(at + i) & 0xff : 0;
            int second = at + i + 1 < end ? view.get(at + i + 1) & 0xff : 0;
            int third = at + i + 2 < end ? view.get(at + i + 2) & 0xff : 0;
            four(first << 16 | second << 8 | third, all - i);
        }
        return this;
    }

    /** Appends the lowest bytes of a number in base64, the highest of them first; those after the eighth are 0. */
    public JsonOutput base64(long value, int bytes) {
        room((bytes + 2) / 3 * 4);
        for (int i = 0; i < bytes; i += 3) {
            four(
                    byteOf(value, bytes, i) << 16 | byteOf(value, bytes, i + 1) << 8 | byteOf(value, bytes, i + 2),
                    bytes - i);
        }
        return this;
    }

    private static int byteOf(long value, int bytes, int index) {
        int shift = Byte.SIZE * (bytes - 1 - index);
        return index < bytes && shift < Long.SIZE ? (int) (value >> shift) & 0xff : 0;
    }

    private void four(int bits, int left) {
        array[length] = BASE64[bits >> 18];
        array[length + 1] = BASE64[bits >> 12 & 63];
        array[length + 2] = left > 1 ? BASE64[bits >> 6 & 63] : (byte) '=';
        array[length + 3] = left > 2 ? BASE64[bits & 63] : (byte) '=';
        length += 4;
    }
}
