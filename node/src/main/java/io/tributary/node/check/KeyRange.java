package io.tributary.node.check;

import io.tributary.extractor.ShardFacts;

/**
 * The numbers that a server generates for rows of a table with AUTO_INCREMENT: {@code offset}, {@code offset + increment} and so on.
 *
 * @param increment auto_increment_increment, 1 or more
 * @param offset auto_increment_offset
 */
record KeyRange(long increment, long offset) {
    static KeyRange of(ShardFacts facts) {
        return new KeyRange(
                number(facts.variable("auto_increment_increment")), number(facts.variable("auto_increment_offset")));
    }

    private static long number(String text) {
        return text.isEmpty() ? 1 : Long.parseLong(text);
    }

    /** Whether the two have no number in common. The server ignores an offset that is larger than the increment, so the answer is then false. */
    boolean isDisjointFrom(KeyRange other) {
        if (offset > increment || other.offset > other.increment) {
            return false;
        }
        long common = commonDivisor(increment, other.increment);
        return offset % common != other.offset % common;
    }

    private static long commonDivisor(long a, long b) {
        return b == 0 ? a : commonDivisor(b, a % b);
    }

    @Override
    public String toString() {
        return "auto_increment_increment " + increment + " and auto_increment_offset " + offset;
    }
}
