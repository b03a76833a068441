package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;

/**
 * Writes floating-point numbers as a server shows a DOUBLE: with the fewest digits that give the number back, of these the nearest to it; without a
 * point for an integer, and with an exponent for integers from 10^15 on and numbers below 10^-15.
 */
public final class RealText {
    /** More digits before the point are written with an exponent if none is after it, and as many zeros after it (my_gcvt in strings/dtoa.cc). */
    private static final int MOST_WITHOUT_EXPONENT = 15;

    private static final int DOUBLE_BITS = 52;
    private static final int DOUBLE_LEAST = -1074;
    private static final int FLOAT_BITS = 23;
    private static final int FLOAT_LEAST = -149;
    private static final int MOST_WRITTEN = 32;

    private RealText() {}

    /** Writes a DOUBLE; EVENT_MALFORMED if it is not finite. */
    public static void append(ByteBuf out, double value) {
        long bits = Double.doubleToRawLongBits(value);
        requireFinite(Double.isFinite(value), value);
        long mantissa = bits & (1L << DOUBLE_BITS) - 1;
        int exponent = (int) (bits >>> DOUBLE_BITS) & 0x7ff;
        append(out, bits < 0, mantissa, exponent, DOUBLE_BITS, DOUBLE_LEAST);
    }

    /** Writes a FLOAT; EVENT_MALFORMED if it is not finite. */
    public static void append(ByteBuf out, float value) {
        int bits = Float.floatToRawIntBits(value);
        requireFinite(Float.isFinite(value), value);
        int mantissa = bits & (1 << FLOAT_BITS) - 1;
        append(out, bits < 0, mantissa, bits >>> FLOAT_BITS & 0xff, FLOAT_BITS, FLOAT_LEAST);
    }

    /** Writes a DOUBLE as in JSON: with a point or an exponent; EVENT_MALFORMED if it is not finite. */
    static void appendPointed(ByteBuf out, double value) {
        int from = out.writerIndex();
        append(out, value);
        for (int i = from; i < out.writerIndex(); i++) {
            byte one = out.getByte(i);
            if (one == '.' || one == 'e') {
                return;
            }
        }
        AsciiText.text(out, ".0");
    }

    private static void requireFinite(boolean isFinite, double value) {
        if (!isFinite) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected a finite floating-point number, found " + value);
        }
    }

    private static void append(ByteBuf out, boolean isNegative, long mantissa, int exponent, int bits, int least) {
        out.ensureWritable(MOST_WRITTEN);
        if (isNegative) {
            out.writeByte('-');
        }
        if (exponent == 0 && mantissa == 0) {
            out.writeByte('0');
            return;
        }
        long c = exponent == 0 ? mantissa : mantissa | 1L << bits;
        int q = least + Math.max(0, exponent - 1);
        boolean isPower = mantissa == 0 && exponent > 1;
        int k = ShortestDecimal.exponent(q, isPower);
        long digits = q <= 0 && q > -Long.SIZE && c >>> -q << -q == c ? c >>> -q : 0;
        if (digits != 0) {
            write(out, digits, 0);
        } else {
            write(out, ShortestDecimal.digits(c, q, k, isPower), k);
        }
    }

    private static void write(ByteBuf out, long number, int power) {
        long digits = number;
        int exponent = power;
        while (digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
        int count = AsciiText.digits(digits);
        int point = count + exponent;
        if (point > Math.max(MOST_WITHOUT_EXPONENT, count - 1) || point <= -MOST_WITHOUT_EXPONENT) {
            pointed(out, digits, count, 1);
            out.writeByte('e');
            AsciiText.integer(out, point - 1);
        } else if (point > 0) {
            pointed(out, digits, count, point);
        } else {
            AsciiText.zeros(out.writeByte('0').writeByte('.'), -point);
            AsciiText.padded(out, digits, count);
        }
    }

    /** Writes digits with a point after the first {@code whole} ones, or zeros up to it. */
    private static void pointed(ByteBuf out, long digits, int count, int whole) {
        AsciiText.padded(out, digits, count);
        if (whole >= count) {
            AsciiText.zeros(out, whole - count);
            return;
        }
        int end = out.writerIndex();
        for (int i = 0; i < count - whole; i++) {
            out.setByte(end - i, out.getByte(end - i - 1));
        }
        out.setByte(end - count + whole, '.');
        out.writerIndex(end + 1);
    }
}
