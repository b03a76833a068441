package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.schema.rows.convert.DecimalDigits;
import java.nio.ByteBuffer;

/** Writes stored values of DECIMAL columns, whose form is that of {@link DecimalDigits}. */
final class DecimalText {
    private static final int GROUP = 9;
    private static final int MOST = 65;

    private DecimalText() {}

    /**
     * Writes a value with {@code scale} digits after the decimal point.
     *
     * @param precision 1 to 65
     * @param scale 0 to {@code precision}
     */
    static void append(ByteBuf out, ByteBuffer view, int from, int precision, int scale) {
        out.ensureWritable(MOST + 3);
        int mask = DecimalDigits.mask(view, from);
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
            AsciiText.fixed(out, DecimalDigits.group(view, from, at, digits, mask), digits);
            at += DecimalDigits.groupBytes(digits);
        }
    }

    /** Writes the digits before the point without leading zeros; returns the offset after them. */
    private static int whole(ByteBuf out, ByteBuffer view, int from, int wholes, int mask) {
        int at = from;
        boolean isFirst = true;
        for (int left = wholes; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            int value = DecimalDigits.group(view, from, at, digits, mask);
            if (!isFirst) {
                AsciiText.fixed(out, value, digits);
            } else if (value != 0) {
                AsciiText.padded(out, value, 1);
                isFirst = false;
            }
            at += DecimalDigits.groupBytes(digits);
            left -= digits;
        }
        if (isFirst) {
            out.writeByte('0');
        }
        return at;
    }
}
