package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.math.BigInteger;

/**
 * Writes floating-point numbers as a server shows a DOUBLE: with the fewest digits that give the number back, of these the nearest to it; without a
 * point for an integer, and with an exponent for integers from 10^15 on and numbers below 10^-15.
 *
 * <p>The digits are found with integers of 64 and 128 bits, as in R. Giulietti, "The Schubfach way to render doubles", 2020: the decimal numbers that
 * give a number c * 2^q back are those between its neighbours' middles; of these with the exponent k = floor(log10(2^q)) there are one or more, and at
 * most one or two with the exponent k + 1.
 */
public final class RealText {
    /** More digits before the point are written with an exponent if none is after it, and as many zeros after it (my_gcvt in strings/dtoa.cc). */
    private static final int MOST_WITHOUT_EXPONENT = 15;

    private static final int DOUBLE_BITS = 52;
    private static final int DOUBLE_LEAST = -1074;
    private static final int FLOAT_BITS = 23;
    private static final int FLOAT_LEAST = -149;
    private static final int SMALLEST_EXPONENT = -324;
    private static final int LARGEST_EXPONENT = 292;
    private static final int POWER_BITS = 126;
    private static final int MOST_WRITTEN = 32;
    private static final long LOW_63 = Long.MAX_VALUE;

    /** For each k the numbers g1, g0 with g1 * 2^63 + g0 = floor(10^-k * 2^r) + 1, which has 126 bits. */
    private static final long[] POWERS = powers();

    private RealText() {}

    private static long[] powers() {
        long[] powers = new long[2 * (LARGEST_EXPONENT - SMALLEST_EXPONENT + 1)];
        for (int k = SMALLEST_EXPONENT; k <= LARGEST_EXPONENT; k++) {
            BigInteger ten = BigInteger.TEN.pow(Math.abs(k));
            int shift = POWER_BITS - 1 - log2OfPower(-k);
            BigInteger scaled = k <= 0
                    ? shift >= 0 ? ten.shiftLeft(shift) : ten.shiftRight(-shift)
                    : BigInteger.ONE.shiftLeft(shift).divide(ten);
            BigInteger power = scaled.add(BigInteger.ONE);
            int at = 2 * (k - SMALLEST_EXPONENT);
            powers[at] = power.shiftRight(Long.SIZE - 1).longValueExact();
            powers[at + 1] = power.longValue() & LOW_63;
        }
        return powers;
    }

    /** floor(log2(10^exponent)). */
    private static int log2OfPower(int exponent) {
        return (int) (exponent * 913_124_641_741L >> 38);
    }

    /** floor(log10(2^exponent)). */
    private static int log10OfPower(int exponent) {
        return (int) (exponent * 661_971_961_083L >> 41);
    }

    /** floor(log10(3/4 * 2^exponent)). */
    private static int log10OfThreeQuarters(int exponent) {
        return (int) (exponent * 661_971_961_083L - 274_743_187_321L >> 41);
    }

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
        int k = isPower ? log10OfThreeQuarters(q) : log10OfPower(q);
        long digits = q <= 0 && q > -Long.SIZE && c >>> -q << -q == c ? c >>> -q : 0;
        if (digits != 0) {
            write(out, digits, 0);
        } else {
            write(out, shortest(c, q, k, isPower), k);
        }
    }

    /** The decimal number, in units of 10^k, for c * 2^q; the number below a power of two is half as far away as the one above it. */
    private static long shortest(long c, int q, int k, boolean isPower) {
        int at = 2 * (k - SMALLEST_EXPONENT);
        long g1 = POWERS[at];
        long g0 = POWERS[at + 1];
        int h = q + log2OfPower(-k) + 2;
        long odd = c & 1;
        long four = c << 2;
        long value = product(g1, g0, four << h);
        long lower = product(g1, g0, four - (isPower ? 1 : 2) << h) + odd;
        long upper = product(g1, g0, four + 2 << h) - odd;
        long below = value >> 2;
        if (below >= 10) {
            long tens = below / 10 * 10;
            boolean hasLower = lower <= tens << 2;
            if (hasLower != tens + 10 << 2 <= upper) {
                return hasLower ? tens : tens + 10;
            }
        }
        boolean hasBelow = lower <= below << 2;
        if (hasBelow != below + 1 << 2 <= upper) {
            return hasBelow ? below : below + 1;
        }
        long compared = value - (2 * below + 1 << 1);
        return compared < 0 || compared == 0 && (below & 1) == 0 ? below : below + 1;
    }

    /** The upper bits of g * factor, the last one set if any bit below it is. */
    private static long product(long g1, long g0, long factor) {
        long middle = (g1 * factor >>> 1) + Math.multiplyHigh(g0, factor);
        long high = Math.multiplyHigh(g1, factor) + (middle >>> Long.SIZE - 1);
        return high | (middle & LOW_63) + LOW_63 >>> Long.SIZE - 1;
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
