package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/**
 * The digits of a DECIMAL, and its stored form (MySQL manual, "Fixed-Point Types"; bin2decimal in strings/decimal.cc): groups of nine digits in
 * four big-endian bytes, shorter groups at the beginning and end in fewer bytes; the first bit inverted, and all bits of a negative value.
 */
public final class DecimalDigits {
    private static final int GROUP = 9;
    private static final int MOST = 65;
    private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int[] POWERS = {
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };

    /** Digits before the decimal point, the last one first; zeros from {@link #wholes} on. */
    private final byte[] whole = new byte[2 * MOST];
    /** Digits after the decimal point, the first one first. */
    private final byte[] fraction = new byte[2 * MOST];

    private int wholes;
    private int fractions;
    private boolean negative;

    private void clear() {
        java.util.Arrays.fill(whole, (byte) 0);
        java.util.Arrays.fill(fraction, (byte) 0);
        wholes = 0;
        fractions = 0;
        negative = false;
    }

    /** Sets an integer; a huge one is an unsigned value above 2^63-1. */
    void set(long value, boolean huge) {
        clear();
        negative = value < 0 && !huge;
        long left = negative ? -value : value; // -2^63 stays, and is correct as an unsigned value
        while (left != 0) {
            long quotient = Long.divideUnsigned(left, 10);
            whole[wholes++] = (byte) (left - quotient * 10);
            left = quotient;
        }
    }

    /** Sets a decimal number. */
    public void set(java.math.BigDecimal value) {
        clear();
        negative = value.signum() < 0;
        String text = value.abs().toPlainString();
        int point = text.indexOf('.');
        int end = point < 0 ? text.length() : point;
        for (int i = end - 1; i >= 0 && wholes < whole.length; i--) {
            whole[wholes++] = (byte) (text.charAt(i) - '0');
        }
        trim();
        for (int i = end + 1; i < text.length() && fractions < fraction.length; i++) {
            fraction[fractions++] = (byte) (text.charAt(i) - '0');
        }
    }

    /** Sets a stored value. */
    void read(ByteBuffer view, int from, int precision, int scale) {
        clear();
        int mask = mask(view, from);
        negative = mask != 0;
        wholes = precision - scale;
        fractions = scale;
        int at = from;
        int left = wholes;
        while (left > 0) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            int value = group(view, from, at, digits, mask);
            for (int i = left - digits; i < left; i++) {
                whole[i] = (byte) (value % 10);
                value /= 10;
            }
            at += BYTES[digits];
            left -= digits;
        }
        for (int done = 0; done < scale; ) {
            int digits = Math.min(GROUP, scale - done);
            int value = group(view, from, at, digits, mask);
            for (int i = done + digits - 1; i >= done; i--) {
                fraction[i] = (byte) (value % 10);
                value /= 10;
            }
            at += BYTES[digits];
            done += digits;
        }
        trim();
    }

    /** The length of the stored form. */
    public static int bytes(int precision, int scale) {
        return bytes(precision - scale) + bytes(scale);
    }

    private static int bytes(int digits) {
        return digits / GROUP * 4 + BYTES[digits % GROUP];
    }

    /** The length of a group of 1 to 9 digits in the stored form. */
    public static int groupBytes(int digits) {
        return BYTES[digits];
    }

    /** What inverts the bits of a stored value: all of them if it is negative, else none. */
    public static int mask(ByteBuffer view, int first) {
        return view.get(first) < 0 ? 0 : -1;
    }

    /**
     * The number of a group, 0 to 10^digits - 1.
     *
     * @param first the offset of the value, whose first bit is inverted
     * @param at the offset of the group
     * @param digits 1 to 9
     * @param mask of the value
     */
    public static int group(ByteBuffer view, int first, int at, int digits, int mask) {
        int value = 0;
        for (int i = at; i < at + BYTES[digits]; i++) {
            value = value << 8 | (view.get(i) ^ mask ^ (i == first ? 0x80 : 0)) & 0xff;
        }
        return (value & Integer.MAX_VALUE) % POWERS[digits];
    }

    private void trim() {
        while (wholes > 0 && whole[wholes - 1] == 0) {
            wholes--;
        }
    }

    boolean isNegative() {
        return negative;
    }

    /** The number of digits before the decimal point without leading zeros; 0 for a value below one. */
    int wholeDigits() {
        return wholes;
    }

    /** The digit before the decimal point with the weight 10^i. */
    int whole(int i) {
        return whole[i];
    }

    /** Rounds to {@code scale} digits after the decimal point, halves away from zero. */
    void round(int scale) {
        if (fractions > scale) {
            boolean up = fraction[scale] >= 5;
            java.util.Arrays.fill(fraction, scale, fractions, (byte) 0);
            fractions = scale;
            if (up) {
                increment();
            }
        }
        boolean zero = wholes == 0;
        for (int i = 0; i < fractions; i++) {
            zero &= fraction[i] == 0;
        }
        negative &= !zero;
    }

    private void increment() {
        for (int i = fractions - 1; i >= 0; i--) {
            if (++fraction[i] < 10) {
                return;
            }
            fraction[i] = 0;
        }
        for (int i = 0; ; i++) {
            if (++whole[i] < 10) {
                wholes = Math.max(wholes, i + 1);
                return;
            }
            whole[i] = 0;
        }
    }

    /** Writes the stored form, rounded; false if there are too many digits before the decimal point. */
    public boolean write(int precision, int scale, RowBytes out) {
        round(scale);
        int most = precision - scale;
        if (wholes > most) {
            return false;
        }
        out.room(2 * MOST);
        ByteBuffer buf = out.buffer();
        int start = out.at();
        int at = start;
        int mask = negative ? -1 : 0;
        int left = most;
        while (left > 0) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            int value = 0;
            for (int i = left - 1; i >= left - digits; i--) {
                value = value * 10 + whole[i];
            }
            at = put(buf, at, value ^ mask, BYTES[digits]);
            left -= digits;
        }
        for (int done = 0; done < scale; ) {
            int digits = Math.min(GROUP, scale - done);
            int value = 0;
            for (int i = done; i < done + digits; i++) {
                value = value * 10 + fraction[i];
            }
            at = put(buf, at, value ^ mask, BYTES[digits]);
            done += digits;
        }
        buf.put(start, (byte) (buf.get(start) ^ 0x80));
        out.advance(at - start);
        return true;
    }

    private static int put(ByteBuffer buf, int at, int value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            buf.put(at + i, (byte) (value >> 8 * (bytes - 1 - i)));
        }
        return at + bytes;
    }
}
