package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Writes digits, hexadecimal digits and ASCII text. */
final class AsciiText {
    private static final int LONGEST_INTEGER = 20;
    /** The two digits of each byte, as a big-endian 2-byte integer. */
    private static final short[] HEX = new short[256];

    static {
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
        int length = 1;
        for (long left = value / 10; left != 0; left /= 10) {
            length++;
        }
        length = Math.max(length, digits);
        out.ensureWritable(length);
        int from = out.writerIndex();
        long left = value;
        for (int i = length - 1; i >= 0; i--) {
            out.setByte(from + i, '0' + (int) (left % 10));
            left /= 10;
        }
        out.writerIndex(from + length);
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
