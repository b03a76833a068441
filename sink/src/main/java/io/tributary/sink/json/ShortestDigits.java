package io.tributary.sink.json;

import java.math.BigInteger;

/**
 * The decimal number with the fewest digits that is read as a FLOAT or DOUBLE again, and of these the nearest one (R. Giulietti, "The Schubfach way to
 * render doubles"). Java's own texts have more digits for some values (JDK-4511638). Used again for each value; for one thread.
 */
public final class ShortestDigits {
    private static final int LEAST_POWER = -324;
    private static final int GREATEST_POWER = 292;
    private static final long LOW_63 = Long.MAX_VALUE;
    /** For each power k of 10: floor(10^-k * 2^r) + 1 of 126 bits, in two numbers of 63 bits. */
    private static final long[] POWERS = powers();

    private static final byte[] ZERO = {'0'};
    private static final byte[] MINUS_ZERO = {'-', '0', '.', '0'};

    private static final int DOUBLE_BITS = 52;
    private static final int DOUBLE_LEAST = -1074;
    private static final int FLOAT_BITS = 23;
    private static final int FLOAT_LEAST = -149;

    private boolean isNegative;
    private long digits;
    private int exponent;

    private static long[] powers() {
        long[] powers = new long[2 * (GREATEST_POWER - LEAST_POWER + 1)];
        for (int k = LEAST_POWER; k <= GREATEST_POWER; k++) {
            int shift = 125 - floorLog2Pow10(-k);
            BigInteger power;
            if (k <= 0) {
                BigInteger ten = BigInteger.TEN.pow(-k);
                power = shift >= 0 ? ten.shiftLeft(shift) : ten.shiftRight(-shift);
            } else {
                power = BigInteger.ONE.shiftLeft(shift).divide(BigInteger.TEN.pow(k));
            }
            power = power.add(BigInteger.ONE);
            int at = 2 * (k - LEAST_POWER);
            powers[at] = power.shiftRight(63).longValueExact();
            powers[at + 1] = power.longValue() & LOW_63;
        }
        return powers;
    }

    /** Sets a finite DOUBLE. */
    public void set(double value) {
        long bits = Double.doubleToRawLongBits(value);
        set(bits < 0, bits & (1L << DOUBLE_BITS) - 1, (int) (bits >> DOUBLE_BITS) & 0x7ff, DOUBLE_BITS);
    }

    /** Sets a finite FLOAT. */
    public void set(float value) {
        int bits = Float.floatToRawIntBits(value);
        set(bits < 0, bits & (1 << FLOAT_BITS) - 1, bits >> FLOAT_BITS & 0xff, FLOAT_BITS);
    }

    private void set(boolean negative, long fraction, int biased, int bits) {
        isNegative = negative;
        int least = bits == FLOAT_BITS ? FLOAT_LEAST : DOUBLE_LEAST;
        boolean isNormal = biased > 0;
        long c = isNormal ? fraction | 1L << bits : fraction;
        int q = isNormal ? least + biased - 1 : least;
        if (c == 0) {
            digits = 0;
            exponent = 0;
        } else if (q <= 0 && q > -bits - 1 && (c & (1L << -q) - 1) == 0) {
            digits = c >> -q;
            exponent = 0;
        } else {
            shortest(c, q, fraction == 0 && biased > 1);
        }
        while (digits != 0 && digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
    }

    /** Of c * 2^q; irregular: the number below is nearer than the number above. */
    private void shortest(long c, int q, boolean isIrregular) {
        int odd = (int) c & 1;
        int k = isIrregular ? floorLog10ThreeQuartersPow2(q) : floorLog10Pow2(q);
        int h = q + floorLog2Pow10(-k) + 2;
        int at = 2 * (k - LEAST_POWER);
        long high = POWERS[at];
        long low = POWERS[at + 1];
        long value = roundToOdd(high, low, 4 * c << h);
        long below = roundToOdd(high, low, 4 * c - (isIrregular ? 1 : 2) << h);
        long above = roundToOdd(high, low, 4 * c + 2 << h);
        long s = value >> 2;
        if (s >= 10) {
            long tens = s / 10 * 10;
            boolean lowerIsIn = below + odd <= tens << 2;
            boolean upperIsIn = (tens + 10 << 2) + odd <= above;
            if (lowerIsIn != upperIsIn) {
                found(lowerIsIn ? tens : tens + 10, k);
                return;
            }
        }
        boolean lowerIsIn = below + odd <= s << 2;
        boolean upperIsIn = (s + 1 << 2) + odd <= above;
        if (lowerIsIn != upperIsIn) {
            found(lowerIsIn ? s : s + 1, k);
            return;
        }
        long side = value - (2 * s + 1 << 1);
        found(side < 0 || side == 0 && (s & 1) == 0 ? s : s + 1, k);
    }

    private void found(long number, int power) {
        digits = number;
        exponent = power;
    }

    private static long roundToOdd(long high, long low, long factor) {
        long x1 = Math.multiplyHigh(low, factor);
        long y0 = high * factor;
        long y1 = Math.multiplyHigh(high, factor);
        long z = (y0 >>> 1) + x1;
        long w = y1 + (z >>> 63);
        return w | (z & LOW_63) + LOW_63 >>> 63;
    }

    private static int floorLog10Pow2(int e) {
        return (int) (e * 661_971_961_083L >> 41);
    }

    private static int floorLog10ThreeQuartersPow2(int e) {
        return (int) (e * 661_971_961_083L - 274_743_187_321L >> 41);
    }

    private static int floorLog2Pow10(int e) {
        return (int) (e * 913_124_641_741L >> 38);
    }

    /** Appends the number without an exponent; "-0" for minus zero. */
    public void plain(JsonOutput out) {
        int count = begin(out);
        int point = count + exponent;
        if (exponent >= 0) {
            out.unsigned(digits).zeros(exponent);
        } else if (point > 0) {
            long below = power(-exponent);
            out.unsigned(digits / below).character('.').padded(digits % below, -exponent);
        } else {
            out.character('0').character('.').zeros(-point).unsigned(digits);
        }
    }

    /** Appends the number in the form of JSON: with an exponent if it is very great or very small; "-0.0" for minus zero, as "-0" is read as an integer. */
    public void number(JsonOutput out) {
        if (digits == 0) {
            out.raw(isNegative ? MINUS_ZERO : ZERO);
            return;
        }
        int point = digits() + exponent;
        if (point > -6 && point <= 21) {
            plain(out);
            return;
        }
        int count = begin(out);
        long below = power(count - 1);
        out.unsigned(digits / below);
        if (count > 1) {
            out.character('.').padded(digits % below, count - 1);
        }
        out.character('e').integer(point - 1L);
    }

    private int begin(JsonOutput out) {
        if (isNegative) {
            out.character('-');
        }
        return digits();
    }

    private int digits() {
        int count = 1;
        for (long limit = 10; count < 18 && digits >= limit; limit *= 10) {
            count++;
        }
        return count;
    }

    private static long power(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
