package io.tributary.mysql.event.row;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Malformed;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

/**
 * Decodes DECIMAL in rows (bin2decimal in strings/decimal.cc): groups of nine decimal digits in four big-endian bytes, shorter groups at the
 * beginning and end in fewer bytes; the first bit is inverted, and all bits of a negative value.
 */
final class DecimalValue {
    private static final int DIGITS = 9;
    private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

    private DecimalValue() {}

    static BigDecimal read(ByteBuffer view, int at, int from, int precision, int scale) {
        if (precision < 1 || precision > 65 || scale > 30 || scale > precision) {
            throw Malformed.event(view, at, "DECIMAL(1..65, 0..30)", "DECIMAL(" + precision + ", " + scale + ")");
        }
        boolean negative = (LittleEndian.getU8(view, from) & 0x80) == 0;
        StringBuilder digits = new StringBuilder(precision + 1).append(negative ? '-' : '+');
        int whole = precision - scale;
        int next = group(view, from, from, whole % DIGITS, negative, digits);
        for (int left = whole / DIGITS + scale / DIGITS; left > 0; left--) {
            next = group(view, from, next, DIGITS, negative, digits);
        }
        group(view, from, next, scale % DIGITS, negative, digits);
        return new BigDecimal(digits.toString()).movePointLeft(scale).setScale(scale);
    }

    private static int group(ByteBuffer view, int first, int from, int count, boolean negative, StringBuilder digits) {
        int behind = from + BYTES[count];
        int value = 0;
        for (int i = from; i < behind; i++) {
            int stored = LittleEndian.getU8(view, i) ^ (i == first ? 0x80 : 0) ^ (negative ? 0xff : 0);
            value = value << Byte.SIZE | stored;
        }
        if (count > 0) {
            String text = Integer.toString(value & Integer.MAX_VALUE);
            digits.append("0".repeat(Math.max(0, count - text.length()))).append(text);
        }
        return behind;
    }
}
