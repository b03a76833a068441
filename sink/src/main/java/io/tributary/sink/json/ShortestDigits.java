package io.tributary.sink.json;

import io.tributary.replay.row.ShortestDecimal;

/** The {@link ShortestDecimal} of a FLOAT or DOUBLE, in the forms of messages. Used again for each value; for one thread. */
public final class ShortestDigits {
    private static final byte[] ZERO = {'0'};
    private static final byte[] MINUS_ZERO = {'-', '0', '.', '0'};

    private static final int DOUBLE_BITS = 52;
    private static final int DOUBLE_LEAST = -1074;
    private static final int FLOAT_BITS = 23;
    private static final int FLOAT_LEAST = -149;

    private boolean isNegative;
    private long digits;
    private int exponent;

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
            boolean isPower = fraction == 0 && biased > 1;
            exponent = ShortestDecimal.exponent(q, isPower);
            digits = ShortestDecimal.digits(c, q, exponent, isPower);
        }
        while (digits != 0 && digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
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
