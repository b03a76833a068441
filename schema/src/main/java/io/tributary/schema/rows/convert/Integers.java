package io.tributary.schema.rows.convert;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** Integers in the form of rows. */
final class Integers {
    private Integers() {}

    /** Sign- or zero-extended; BIGINT UNSIGNED above 2^63-1 is returned as a negative value. */
    static long read(ByteBuffer view, int from, int bytes, boolean unsigned) {
        return switch (bytes) {
            case 1 -> unsigned ? LittleEndian.getU8(view, from) : view.get(from);
            case 2 -> unsigned ? LittleEndian.getU16(view, from) : (short) LittleEndian.getU16(view, from);
            case 3 -> unsigned ? LittleEndian.getU24(view, from) : LittleEndian.getU24(view, from) << 8 >> 8;
            case 4 -> unsigned ? LittleEndian.getU32(view, from) : LittleEndian.getInt(view, from);
            default -> LittleEndian.getLong(view, from);
        };
    }

    /** Whether a result of {@link #read} is above 2^63-1. */
    static boolean isHuge(long value, int bytes, boolean unsigned) {
        return value < 0 && unsigned && bytes == 8;
    }

    static long big(ByteBuffer view, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            value = value << 8 | view.get(i) & 0xff;
        }
        return value;
    }

    static long little(ByteBuffer view, int from, int to) {
        long value = 0;
        for (int i = to - 1; i >= from; i--) {
            value = value << 8 | view.get(i) & 0xff;
        }
        return value;
    }
}
