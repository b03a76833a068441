package io.tributary.schema.keys;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A hash of 64 bits that is made of 8 bytes at a time: the last steps of XXH64. Equal values in the same order give the same hash. */
final class KeyHash {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final int ROUND_BITS = 31;
    private static final int STEP_BITS = 27;
    private static final int WORD = Long.BYTES;

    private KeyHash() {}

    /** The state after 8 more bytes. */
    static long add(long state, long value) {
        long round = Long.rotateLeft(value * PRIME_2, ROUND_BITS) * PRIME_1;
        return Long.rotateLeft(state ^ round, STEP_BITS) * PRIME_1 + PRIME_4;
    }

    /** The state after these bytes and their number. */
    static long add(long state, ByteBuffer view, int at, int length) {
        long next = state;
        int end = at + length;
        int from = at;
        for (; from + WORD <= end; from += WORD) {
            next = add(next, LittleEndian.getLong(view, from));
        }
        long rest = length;
        for (int shift = WORD; from < end; from++, shift += WORD) {
            rest |= (view.get(from) & 0xffL) << shift; // at most 7 bytes, above the low byte of the length
        }
        return add(next, rest);
    }

    /** The same for an array. */
    static long add(long state, byte[] bytes, int length) {
        long next = state;
        int from = 0;
        for (; from + WORD <= length; from += WORD) {
            next = add(next, LittleEndian.getLong(bytes, from));
        }
        long rest = length;
        for (int shift = WORD; from < length; from++, shift += WORD) {
            rest |= (bytes[from] & 0xffL) << shift;
        }
        return add(next, rest);
    }

    /** The hash of a text, such as the name of a table. */
    static long of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return end(add(PRIME_4, bytes, bytes.length));
    }

    /** The hash of everything that was added. */
    static long end(long state) {
        long hash = (state ^ state >>> 33) * PRIME_2;
        hash = (hash ^ hash >>> 29) * PRIME_3;
        return hash ^ hash >>> 32;
    }
}
