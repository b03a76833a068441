package io.tributary.replay.row;

import java.math.BigInteger;

/**
 * The decimal number with the fewest digits that gives a binary floating-point number back, and of these the nearest to it.
 *
 * <p>The digits are found with integers of 64 and 128 bits, as in R. Giulietti, "The Schubfach way to render doubles", 2020: the decimal numbers that
 * give a number c * 2^q back are those between its neighbours' middles; of these with the exponent k = floor(log10(2^q)) there are one or more, and at
 * most one or two with the exponent k + 1. Java's own texts have more digits for some values (JDK-4511638).
 */
public final class ShortestDecimal {
    private static final int SMALLEST_EXPONENT = -324;
    private static final int LARGEST_EXPONENT = 292;
    private static final int POWER_BITS = 126;
    private static final long LOW_63 = Long.MAX_VALUE;

    /** For each k the numbers g1, g0 with g1 * 2^63 + g0 = floor(10^-k * 2^r) + 1, which has 126 bits. */
    private static final long[] POWERS = powers();

    private ShortestDecimal() {}

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

    /**
     * The exponent k of the decimal number.
     *
     * @param q the exponent of the binary number, c * 2^q
     * @param isPower whether it is a power of two above the smallest normal one: the number below it is half as far away as the one above it
     */
    public static int exponent(int q, boolean isPower) {
        return isPower ? log10OfThreeQuarters(q) : log10OfPower(q);
    }

    /**
     * The decimal number, in units of 10^k; it may end with zeros.
     *
     * @param c above 0, at most 53 bits
     * @param k of {@link #exponent}
     */
    public static long digits(long c, int q, int k, boolean isPower) {
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
}
