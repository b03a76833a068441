package io.tributary.sink.json;

import io.tributary.schema.rows.convert.DecimalDigits;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Appends a DECIMAL from its stored form, that of {@link DecimalDigits}. */
public final class StoredDecimal {
    private static final int GROUP = 9;
    private static final long THOUSAND_MILLIONS = 1_000_000_000;
    /** Digits of an unscaled number that fits into 63 bits. */
    private static final int MOST_IN_LONG = 18;

    private static final long[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private StoredDecimal() {}

    /**
     * Appends the value as a server shows it.
     *
     * @param at offset of its first byte
     * @param wholes digits before the decimal point
     * @param scale digits after it
     */
    public static void append(JsonOutput out, ByteBuffer view, int at, int wholes, int scale) {
        int mask = DecimalDigits.mask(view, at);
        if (mask != 0) {
            out.character('-');
        }
        int next = whole(out, view, at, wholes);
        if (scale == 0) {
            return;
        }
        out.character('.');
        for (int left = scale; left > 0; left -= GROUP) {
            int digits = Math.min(left, GROUP);
            out.padded(DecimalDigits.group(view, at, next, digits, mask), digits);
            next += DecimalDigits.groupBytes(digits);
        }
    }

    private static int whole(JsonOutput out, ByteBuffer view, int at, int wholes) {
        int mask = DecimalDigits.mask(view, at);
        int next = at;
        boolean hasDigits = false;
        for (int left = wholes; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            int value = DecimalDigits.group(view, at, next, digits, mask);
            if (hasDigits) {
                out.padded(value, digits);
            } else if (value != 0) {
                out.unsigned(value);
                hasDigits = true;
            }
            next += DecimalDigits.groupBytes(digits);
            left -= digits;
        }
        if (!hasDigits) {
            out.character('0');
        }
        return next;
    }

    /**
     * Appends the value without its decimal point as a number in two's complement, the highest byte first, in as few bytes as possible, in base64: the form
     * of Kafka Connect's Decimal.
     */
    public static void appendUnscaled(JsonOutput out, ByteBuffer view, int at, int wholes, int scale) {
        if (wholes + scale <= MOST_IN_LONG) {
            appendUnscaled(out, unscaled(view, at, wholes, scale));
            return;
        }
        JsonOutput text = new JsonOutput();
        append(text, view, at, wholes, scale);
        String digits = new String(text.toBytes(), StandardCharsets.US_ASCII).replace(".", "");
        byte[] bytes = new BigInteger(digits).toByteArray();
        out.base64(ByteBuffer.wrap(bytes), 0, bytes.length, 0);
    }

    /** Appends an integer in this form. */
    public static void appendUnscaled(JsonOutput out, long value) {
        int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value)) / Byte.SIZE + 1;
        out.base64(value, bytes);
    }

    /** Appends an integer of 0..2^64-1 in this form. */
    public static void appendUnsigned(JsonOutput out, long value) {
        if (value < 0) {
            out.base64(value, Long.BYTES + 1);
        } else {
            appendUnscaled(out, value);
        }
    }

    private static long unscaled(ByteBuffer view, int at, int wholes, int scale) {
        int mask = DecimalDigits.mask(view, at);
        long value = 0;
        int next = at;
        for (int left = wholes; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            value = value * power(digits) + DecimalDigits.group(view, at, next, digits, mask);
            next += DecimalDigits.groupBytes(digits);
            left -= digits;
        }
        for (int left = scale; left > 0; left -= GROUP) {
            int digits = Math.min(left, GROUP);
            value = value * power(digits) + DecimalDigits.group(view, at, next, digits, mask);
            next += DecimalDigits.groupBytes(digits);
        }
        return mask == 0 ? value : -value;
    }

    private static long power(int digits) {
        return digits == GROUP ? THOUSAND_MILLIONS : POWERS[digits];
    }
}
