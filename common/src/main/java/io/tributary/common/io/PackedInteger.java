package io.tributary.common.io;

import java.nio.ByteBuffer;

/**
 * MySQL's length-encoded integer: 1, 3, 4 or 9 bytes, depending on the first byte ("net_store_length", protocol manual "Integer types").
 *
 * <p>Positions are checked against the buffer's limit as in {@link LittleEndian}; nothing is allocated.
 */
public final class PackedInteger {
    /** The maximum number of bytes of an integer. */
    public static final int MAX_LENGTH = 9;

    private static final int TWO_BYTES = 252;
    private static final int THREE_BYTES = 253;
    private static final int EIGHT_BYTES = 254;

    private PackedInteger() {}

    /**
     * The number of bytes of an integer that begins with {@code firstByte} (0..255); 0 for 251 and 255, with which no integer
     * begins.
     */
    public static int lengthByFirst(int firstByte) {
        return switch (firstByte) {
            case TWO_BYTES -> 3;
            case THREE_BYTES -> 4;
            case EIGHT_BYTES -> 9;
            case 251, 255 -> 0;
            default -> 1;
        };
    }

    /** The number of bytes that {@link #put} writes for an unsigned 64-bit {@code value}. */
    public static int length(long value) {
        if (value >= 0 && value < 251) {
            return 1;
        }
        if (value >= 0 && value < 1L << 16) {
            return 3;
        }
        return value >= 0 && value < 1L << 24 ? 4 : MAX_LENGTH;
    }

    /**
     * The integer at {@code at}; a value above 2^63-1 is returned as a negative one.
     *
     * @throws IllegalArgumentException if no integer begins with that byte
     */
    public static long get(ByteBuffer view, int at) {
        int first = LittleEndian.getU8(view, at);
        return switch (first) {
            case TWO_BYTES -> LittleEndian.getU16(view, at + 1);
            case THREE_BYTES -> LittleEndian.getU24(view, at + 1);
            case EIGHT_BYTES -> LittleEndian.getLong(view, at + 1);
            case 251, 255 ->
                throw new IllegalArgumentException(
                        "expected a length-encoded integer at " + at + ", found first byte " + first);
            default -> first;
        };
    }

    /** Offset after the integer. */
    public static int end(ByteBuffer view, int at) {
        return at + lengthByFirst(LittleEndian.getU8(view, at));
    }

    /** Writes {@code value} in the shortest form and returns the position after it. */
    public static int put(ByteBuffer buf, int at, long value) {
        switch (length(value)) {
            case 1 -> LittleEndian.putU8(buf, at, (int) value);
            case 3 -> {
                LittleEndian.putU8(buf, at, TWO_BYTES);
                LittleEndian.putU16(buf, at + 1, (int) value);
            }
            case 4 -> {
                LittleEndian.putU8(buf, at, THREE_BYTES);
                LittleEndian.putU24(buf, at + 1, (int) value);
            }
            default -> putLongest(buf, at, value);
        }
        return at + length(value);
    }

    /** Writes {@code value} in the 9-byte form whatever its size, for fields that are patched later; readers accept any form. */
    public static void putLongest(ByteBuffer buf, int at, long value) {
        LittleEndian.putU8(buf, at, EIGHT_BYTES);
        LittleEndian.putLong(buf, at + 1, value);
    }
}
