package io.tributary.replay.row;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Reads a number of a JSON text as a MySQL server does, which does not always give the nearest DOUBLE: it uses RapidJSON without
 * kParseFullPrecisionFlag, which rounds the digits to a DOUBLE and then multiplies it by a power of ten (GenericReader::ParseNumber in reader.h,
 * StrtodNormalPrecision in strtod.h).
 */
final class JsonNumber {
    private static final int MOST_EXPONENT = 308;
    private static final int MOST_DIGITS = 17;
    private static final long MOST_OF_FRACTION = (1L << 53) - 1;
    private static final double[] POWERS = new double[MOST_EXPONENT + 1];

    /** Lengths of integers that are tried: from 2^53 on; digits after the longest one without zeros are zeros. */
    private static final int SHORTEST = 16;

    private static final int LONGEST_WITHOUT_ZEROS = 18;
    private static final int LONGEST = 60;
    /** Integers that are tried of each length. */
    private static final int TRIES = 17;

    private final String text;
    private int at;
    /** The digits, while they are an integer of 64 bits; it has no sign. */
    private long exact;
    /** The digits after that. */
    private double rounded = -1;

    private int digits;

    static {
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = Double.parseDouble("1e" + i);
        }
    }

    private JsonNumber(String text) {
        this.text = text;
    }

    /** What is read for a text such as {@code -12.5e-7}: a number with a point or an exponent. */
    static double read(String text) {
        return new JsonNumber(text).read();
    }

    private double read() {
        boolean isNegative = text.charAt(0) == '-';
        at = isNegative ? 1 : 0;
        whole(isNegative ? Long.MIN_VALUE : -1);
        int exponent = fraction();
        if (at < text.length()) {
            exponent += Integer.parseInt(text.substring(at + 1));
        }
        double size = scaled(rounded < 0 ? real(exact) : rounded, exponent);
        return isNegative ? -size : size;
    }

    /** Reads the digits before the point; those above {@code most}, which has no sign, are rounded. */
    private void whole(long most) {
        int first = at;
        while (isDigit()) {
            long limit = Long.divideUnsigned(most, 10);
            int compared = Long.compareUnsigned(exact, limit);
            if (compared > 0 || compared == 0 && digit() > Long.remainderUnsigned(most, 10)) {
                round();
            }
            digits += at > first ? 1 : 0;
            add();
        }
    }

    /** Reads the digits after the point, if there are any; returns the exponent of the last one. */
    private int fraction() {
        if (at == text.length() || text.charAt(at) != '.') {
            return 0;
        }
        int exponent = 0;
        at++;
        while (isDigit()) {
            if (Long.compareUnsigned(exact, MOST_OF_FRACTION) > 0) {
                round();
            }
            if (rounded >= 0 && digits >= MOST_DIGITS) {
                at++;
            } else {
                add();
                exponent--;
                digits += exact == 0 ? 0 : 1;
            }
        }
        return exponent;
    }

    private boolean isDigit() {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private int digit() {
        return text.charAt(at) - '0';
    }

    private void round() {
        rounded = rounded < 0 ? real(exact) : rounded;
    }

    private void add() {
        if (rounded < 0) {
            exact = exact * 10 + digit();
        } else {
            rounded = rounded * 10 + digit();
        }
        at++;
    }

    private static double real(long unsigned) {
        return unsigned < 0 ? ((unsigned >>> 1) | (unsigned & 1)) * 2.0 : unsigned;
    }

    private static double scaled(double size, int exponent) {
        if (exponent >= 0) {
            return size * POWERS[Math.min(exponent, MOST_EXPONENT)];
        }
        if (exponent >= -MOST_EXPONENT) {
            return size / POWERS[-exponent];
        }
        return exponent < -2 * MOST_EXPONENT ? 0 : size / POWERS[MOST_EXPONENT] / POWERS[-exponent - MOST_EXPONENT];
    }

    /**
     * A text of which servers read this number: an integer and an exponent. If possible one whose nearest DOUBLE is this number too; empty if none is
     * found, which happens for about one of 10,000 random numbers.
     */
    static Optional<String> found(double value) {
        BigDecimal size = new BigDecimal(Math.abs(value)).round(new MathContext(LONGEST, RoundingMode.HALF_EVEN));
        String best = null;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            int exponent = size.precision() - size.scale() - length;
            int zeros = Math.max(0, length - LONGEST_WITHOUT_ZEROS);
            long middle = size.scaleByPowerOfTen(-exponent - zeros)
                    .setScale(0, RoundingMode.HALF_EVEN)
                    .longValue();
            long step = Math.max(1, (long) Math.ulp((double) middle));
            String end = "0".repeat(zeros) + "e" + exponent;
            for (int i = 0; i < TRIES; i++) {
                long digits = middle + (i % 2 == 0 ? i / 2 : -(i + 1) / 2) * step;
                String text = (value < 0 ? "-" : "") + digits + end;
                if (read(text) == value) {
                    if (Double.parseDouble(text) == value) {
                        return Optional.of(text);
                    }
                    best = best == null ? text : best;
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
