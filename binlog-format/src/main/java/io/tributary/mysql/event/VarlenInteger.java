package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The integer of MySQL's serialisation library: 1..9 bytes; the number of low bits set in the first byte is the number of bytes that follow,
 * then a zero bit, then the value; after a first byte of 255 the value fills 8 bytes (libs/mysql/serialization/readme.md).
 */
final class VarlenInteger {
    private VarlenInteger() {}

    /** The number of bytes of the integer that begins here, 1..9. */
    static int length(ByteBuffer view, int at) {
        return Integer.numberOfTrailingZeros(~LittleEndian.getU8(view, at)) + 1;
    }

    static long unsigned(ByteBuffer view, int at) {
        int length = length(view, at);
        if (length > Long.BYTES) {
            return LittleEndian.getLong(view, at + 1);
        }
        long raw = 0;
        for (int i = 0; i < length; i++) {
            raw |= (long) LittleEndian.getU8(view, at + i) << (Byte.SIZE * i);
        }
        return raw >>> length;
    }

    /** A signed integer has its sign in the lowest bit of the value. */
    static long signed(ByteBuffer view, int at) {
        long value = unsigned(view, at);
        return (value >>> 1) ^ -(value & 1);
    }
}
