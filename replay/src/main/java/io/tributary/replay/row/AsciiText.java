package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Writes digits, hexadecimal digits and ASCII text. */
final class AsciiText {
    private static final int LONGEST_INTEGER = 20;
    private static final int HUNDRED = 100;
    /** The two digits of each byte, as a big-endian 2-byte integer. */
    private static final short[] HEX = new short[256];
    /** The same for the decimal digits of 0..99. */
    private static final short[] DECIMAL = new short[HUNDRED];

    static {
        for (int i = 0; i < HUNDRED; i++) {
            DECIMAL[i] = (short) (digit(i / 10) << 8 | digit(i % 10));
        }
        for (int i = 0; i < HEX.length; i++) {
            HEX[i] = (short) (digit(i >> 4) << 8 | digit(i & 15));
        }
    }

    private AsciiText() {}

    private static int digit(int value) {
        return value < 10 ? '0' + value : 'A' + value - 10;
    }

    /** Writes a signed integer. */
    static void integer(ByteBuf out, long value) {
        if (value < 0) {
            out.writeByte('-');
        }
        unsigned(out, value < 0 ? -value : value); // -2^63 stays, and is correct as an unsigned value
    }

    /** Writes an unsigned integer, 0..2^64-1. */
    static void unsigned(ByteBuf out, long value) {
        out.ensureWritable(LONGEST_INTEGER);
        long left = value;
        if (left < 0) {
            left = Long.divideUnsigned(value, 10);
            padded(out, left, 1);
            out.writeByte('0' + (int) (value - left * 10));
            return;
        }
        padded(out, left, 1);
    }

    /** Writes an integer from 0 on, with zeros in front of it if it has fewer digits. */
    static void padded(ByteBuf out, long value, int digits) {
        int length = Math.max(digits(value), digits);
        out.ensureWritable(length);
        int from = out.writerIndex();
        int at = from + length;
        long left = value;
        for (; left > Integer.MAX_VALUE && at - from >= 2; at -= 2) {
            long next = left / HUNDRED;
            out.setShort(at - 2, DECIMAL[(int) (left - next * HUNDRED)]);
            left = next;
        }
        fixed(out, from, (int) left, at - from);
        out.writerIndex(from + length);
    }

    /** Writes zeros. */
    static void zeros(ByteBuf out, int count) {
        for (int i = 0; i < count; i++) {
            out.writeByte('0');
        }
    }

    /** The number of digits of an integer from 0 on. */
    static int digits(long value) {
        int length = 1;
        for (long most = 10; value >= most && length < LONGEST_INTEGER - 1; most *= 10) {
            length++;
        }
        return length;
    }

    /** Writes the last {@code digits} of an integer from 0 on, with zeros in front of it if it has fewer; there must be room for them. */
    static void fixed(ByteBuf out, int value, int digits) {
        int from = out.writerIndex();
        fixed(out, from, value, digits);
        out.writerIndex(from + digits);
    }

    private static void fixed(ByteBuf out, int from, int value, int digits) {
        int left = value;
        int at = from + digits;
        for (; at - from >= 2; at -= 2) {
            int next = left / HUNDRED;
            out.setShort(at - 2, DECIMAL[left - next * HUNDRED]);
            left = next;
        }
        if (at > from) {
            out.setByte(from, '0' + left % 10);
        }
    }

    /** Writes two digits for each byte. */
    static void hex(ByteBuf out, ByteBuffer view, int at, int bytes) {
        out.ensureWritable(2 * bytes);
        int from = out.writerIndex();
        for (int i = 0; i < bytes; i++) {
            out.setShort(from + 2 * i, HEX[view.get(at + i) & 0xff]);
        }
        out.writerIndex(from + 2 * bytes);
    }

    /** Replaces what was written from {@code from} on by two digits for each byte of it. */
    static void toHex(ByteBuf out, int from) {
        int bytes = out.writerIndex() - from;
        out.ensureWritable(bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.setShort(from + 2 * i, HEX[out.getByte(from + i) & 0xff]);
        }
        out.writerIndex(from + 2 * bytes);
    }

    /** Writes a text of ASCII characters. */
    static void text(ByteBuf out, String ascii) {
        int length = ascii.length();
        out.ensureWritable(length);
        for (int i = 0; i < length; i++) {
            out.writeByte(ascii.charAt(i));
        }
    }
}
