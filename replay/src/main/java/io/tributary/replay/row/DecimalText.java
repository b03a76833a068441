package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Writes stored values of DECIMAL columns, whose form is that of {@link io.tributary.schema.rows.convert.DecimalDigits}. */
final class DecimalText {
    private static final int GROUP = 9;
    private static final int MOST = 65;
    private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int[] POWERS = {
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };

    private DecimalText() {}

    /**
     * Writes a value with {@code scale} digits after the decimal point.
     *
     * @param precision 1 to 65
     * @param scale 0 to {@code precision}
     */
    static void append(ByteBuf out, ByteBuffer view, int from, int precision, int scale) {
        out.ensureWritable(MOST + 3);
        int mask = view.get(from) < 0 ? 0 : -1;
        if (mask != 0) {
            out.writeByte('-');
        }
        int at = whole(out, view, from, precision - scale, mask);
        if (scale == 0) {
            return;
        }
        out.writeByte('.');
        for (int left = scale; left > 0; left -= GROUP) {
            int digits = Math.min(GROUP, left);
            AsciiText.fixed(out, group(view, from, at, digits, mask), digits);
            at += BYTES[digits];
        }
    }

    /** Writes the digits before the point without leading zeros; returns the offset after them. */
    private static int whole(ByteBuf out, ByteBuffer view, int from, int wholes, int mask) {
        int at = from;
        boolean isFirst = true;
        for (int left = wholes; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            int value = group(view, from, at, digits, mask);
            if (!isFirst) {
                AsciiText.fixed(out, value, digits);
            } else if (value != 0) {
                AsciiText.padded(out, value, 1);
                isFirst = false;
            }
            at += BYTES[digits];
            left -= digits;
        }
        if (isFirst) {
            out.writeByte('0');
        }
        return at;
    }

    /** The number of a group; the bits of the first byte are inverted in the highest one. */
    private static int group(ByteBuffer view, int first, int at, int digits, int mask) {
        int value = 0;
        for (int i = at; i < at + BYTES[digits]; i++) {
            value = value << 8 | (view.get(i) ^ mask ^ (i == first ? 0x80 : 0)) & 0xff;
        }
        return (value & Integer.MAX_VALUE) % POWERS[digits];
    }
}
