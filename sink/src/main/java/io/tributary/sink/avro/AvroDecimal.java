package io.tributary.sink.avro;

import java.nio.ByteBuffer;

/**
 * Writes a stored DECIMAL (MySQL manual, "Fixed-Point Types"; bin2decimal in strings/decimal.cc) as the two's complement of its unscaled value, the
 * highest byte first, in as few bytes as possible. For one thread.
 */
final class AvroDecimal {
    private static final int GROUP = 9;
    private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int[] TENS = {
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };
    private static final int MOST_IN_LONG = 18;
    /** 65 digits have 216 bits. */
    private static final int WORDS = 8;

    private final int precision;
    private final int scale;
    private final int[] words = new int[WORDS];
    private ByteBuffer view;
    private int start;
    private int at;
    private int mask;

    AvroDecimal(int precision, int scale) {
        this.precision = precision;
        this.scale = scale;
    }

    void append(AvroOutput out, ByteBuffer from, int offset) {
        view = from;
        start = offset;
        at = offset;
        mask = (from.get(offset) & 0x80) == 0 ? -1 : 0;
        if (precision <= MOST_IN_LONG) {
            long value = small();
            append(out, mask == 0 ? value : -value);
        } else {
            large();
            appendWords(out);
        }
    }

    /** Appends a long with its length. */
    static void append(AvroOutput out, long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value);
        int length = bits / Byte.SIZE + 1;
        out.integer(length);
        out.big(value, length);
    }

    /** Appends a value of 0 to 2^64 - 1 with its length. */
    static void appendUnsigned(AvroOutput out, long value) {
        if (value >= 0) {
            append(out, value);
        } else {
            out.integer(Long.BYTES + 1);
            out.octet(0);
            out.big(value, Long.BYTES);
        }
    }

    private long small() {
        long value = 0;
        for (int left = precision - scale; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            value = value * TENS[digits] + group(digits);
            left -= digits;
        }
        for (int left = scale; left > 0; ) {
            int digits = Math.min(GROUP, left);
            value = value * TENS[digits] + group(digits);
            left -= digits;
        }
        return value;
    }

    private void large() {
        java.util.Arrays.fill(words, 0);
        for (int left = precision - scale; left > 0; ) {
            int digits = left % GROUP == 0 ? GROUP : left % GROUP;
            add(TENS[digits], group(digits));
            left -= digits;
        }
        for (int left = scale; left > 0; ) {
            int digits = Math.min(GROUP, left);
            add(TENS[digits], group(digits));
            left -= digits;
        }
    }

    /** The next digits, as a number. */
    private int group(int digits) {
        int value = 0;
        for (int i = BYTES[digits]; i > 0; i--) {
            int stored = view.get(at) ^ mask ^ (at == start ? 0x80 : 0);
            value = value << Byte.SIZE | stored & 0xff;
            at++;
        }
        return value;
    }

    private void add(int factor, int digits) {
        long carry = digits;
        for (int i = 0; i < WORDS; i++) {
            carry += (words[i] & 0xffff_ffffL) * factor;
            words[i] = (int) carry;
            carry >>>= Integer.SIZE;
        }
    }

    private void appendWords(AvroOutput out) {
        if (mask != 0) {
            long carry = 1;
            for (int i = 0; i < WORDS; i++) {
                carry += ~words[i] & 0xffff_ffffL;
                words[i] = (int) carry;
                carry >>>= Integer.SIZE;
            }
        }
        int sign = words[WORDS - 1] >> Integer.SIZE - 1;
        int top = WORDS - 1;
        while (top > 0 && words[top] == sign) {
            top--;
        }
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(words[top] ^ sign) + Integer.SIZE * top;
        int length = bits / Byte.SIZE + 1;
        out.integer(length);
        for (int i = length - 1; i >= 0; i--) {
            out.octet(words[i / Integer.BYTES] >> Byte.SIZE * (i % Integer.BYTES));
        }
    }
}
