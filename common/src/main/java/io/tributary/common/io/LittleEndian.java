package io.tributary.common.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Little-endian integers at absolute positions of buffers and arrays, as MySQL writes them everywhere.
 *
 * <p>The buffer's own byte order, position and mark are neither used nor changed. Positions are checked against the
 * buffer's limit (or the array's length); a position outside throws {@link IndexOutOfBoundsException}. Nothing is allocated.
 */
public final class LittleEndian {
    private static final VarHandle BUFFER_U16 =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER_U32 =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER_U64 =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ARRAY_U16 =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ARRAY_U32 =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ARRAY_U64 =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /** An unsigned byte, 0..255. */
    public static int getU8(ByteBuffer view, int at) {
        return view.get(at) & 0xff;
    }

    /** An unsigned 2-byte integer, 0..65535. */
    public static int getU16(ByteBuffer view, int at) {
        return (short) BUFFER_U16.get(view, at) & 0xffff;
    }

    /** An unsigned 3-byte integer, 0..2^24-1. */
    public static int getU24(ByteBuffer view, int at) {
        return getU16(view, at) | getU8(view, at + 2) << 16;
    }

    /** A signed 4-byte integer. */
    public static int getInt(ByteBuffer view, int at) {
        return (int) BUFFER_U32.get(view, at);
    }

    /** An unsigned 4-byte integer, 0..2^32-1. */
    public static long getU32(ByteBuffer view, int at) {
        return getInt(view, at) & 0xffff_ffffL;
    }

    /** An unsigned 6-byte integer, 0..2^48-1. */
    public static long getU48(ByteBuffer view, int at) {
        return getU32(view, at) | (long) getU16(view, at + 4) << 32;
    }

    /** An unsigned 7-byte integer, 0..2^56-1. */
    public static long getU56(ByteBuffer view, int at) {
        return getU32(view, at) | (long) getU24(view, at + 4) << 32;
    }

    /** An 8-byte integer; an unsigned value above 2^63-1 is returned as a negative one. */
    public static long getLong(ByteBuffer view, int at) {
        return (long) BUFFER_U64.get(view, at);
    }

    /** Writes the lowest byte of {@code value}. */
    public static void putU8(ByteBuffer buf, int at, int value) {
        buf.put(at, (byte) value);
    }

    /** Writes the lowest 2 bytes of {@code value}. */
    public static void putU16(ByteBuffer buf, int at, int value) {
        BUFFER_U16.set(buf, at, (short) value);
    }

    /** Writes the lowest 3 bytes of {@code value}. */
    public static void putU24(ByteBuffer buf, int at, int value) {
        putU16(buf, at, value);
        putU8(buf, at + 2, value >>> 16);
    }

    /** Writes 4 bytes. */
    public static void putInt(ByteBuffer buf, int at, int value) {
        BUFFER_U32.set(buf, at, value);
    }

    /** Writes the lowest 4 bytes of {@code value}. */
    public static void putU32(ByteBuffer buf, int at, long value) {
        putInt(buf, at, (int) value);
    }

    /** Writes the lowest 6 bytes of {@code value}. */
    public static void putU48(ByteBuffer buf, int at, long value) {
        putInt(buf, at, (int) value);
        putU16(buf, at + 4, (int) (value >>> 32));
    }

    /** Writes the lowest 7 bytes of {@code value}. */
    public static void putU56(ByteBuffer buf, int at, long value) {
        putInt(buf, at, (int) value);
        putU24(buf, at + 4, (int) (value >>> 32));
    }

    /** Writes 8 bytes. */
    public static void putLong(ByteBuffer buf, int at, long value) {
        BUFFER_U64.set(buf, at, value);
    }

    /** An unsigned byte, 0..255. */
    public static int getU8(byte[] view, int at) {
        return view[at] & 0xff;
    }

    /** An unsigned 2-byte integer, 0..65535. */
    public static int getU16(byte[] view, int at) {
        return (short) ARRAY_U16.get(view, at) & 0xffff;
    }

    /** An unsigned 3-byte integer, 0..2^24-1. */
    public static int getU24(byte[] view, int at) {
        return getU16(view, at) | getU8(view, at + 2) << 16;
    }

    /** A signed 4-byte integer. */
    public static int getInt(byte[] view, int at) {
        return (int) ARRAY_U32.get(view, at);
    }

    /** An unsigned 4-byte integer, 0..2^32-1. */
    public static long getU32(byte[] view, int at) {
        return getInt(view, at) & 0xffff_ffffL;
    }

    /** An unsigned 6-byte integer, 0..2^48-1. */
    public static long getU48(byte[] view, int at) {
        return getU32(view, at) | (long) getU16(view, at + 4) << 32;
    }

    /** An 8-byte integer; an unsigned value above 2^63-1 is returned as a negative one. */
    public static long getLong(byte[] view, int at) {
        return (long) ARRAY_U64.get(view, at);
    }

    /** Writes the lowest byte of {@code value}. */
    public static void putU8(byte[] array, int at, int value) {
        array[at] = (byte) value;
    }

    /** Writes the lowest 2 bytes of {@code value}. */
    public static void putU16(byte[] array, int at, int value) {
        ARRAY_U16.set(array, at, (short) value);
    }

    /** Writes the lowest 3 bytes of {@code value}. */
    public static void putU24(byte[] array, int at, int value) {
        putU16(array, at, value);
        putU8(array, at + 2, value >>> 16);
    }

    /** Writes 4 bytes. */
    public static void putInt(byte[] array, int at, int value) {
        ARRAY_U32.set(array, at, value);
    }

    /** Writes the lowest 4 bytes of {@code value}. */
    public static void putU32(byte[] array, int at, long value) {
        putInt(array, at, (int) value);
    }

    /** Writes the lowest 6 bytes of {@code value}. */
    public static void putU48(byte[] array, int at, long value) {
        putInt(array, at, (int) value);
        putU16(array, at + 4, (int) (value >>> 32));
    }

    /** Writes 8 bytes. */
    public static void putLong(byte[] array, int at, long value) {
        ARRAY_U64.set(array, at, value);
    }
}
