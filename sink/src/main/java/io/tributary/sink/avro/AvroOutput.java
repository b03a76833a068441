package io.tributary.sink.avro;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of one message in Avro's binary form (Avro specification, "Binary Encoding"), in an array that grows. For one thread. */
final class AvroOutput {
    private static final int LONGEST_INTEGER = 10;

    private byte[] bytes = new byte[4096];
    private int size;

    void clear() {
        size = 0;
    }

    void appendTo(ByteBuf out) {
        out.writeBytes(bytes, 0, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    /** Appends an int or a long. */
    void integer(long value) {
        room(LONGEST_INTEGER);
        long left = value << 1 ^ value >> 63;
        int at = size;
        while ((left & ~0x7fL) != 0) {
            bytes[at++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[at++] = (byte) left;
        size = at;
    }

    /** Appends one byte as it is. */
    void octet(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    /** Appends the bits of a float. */
    void float32(int bits) {
        room(Integer.BYTES);
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[size + i] = (byte) (bits >> Byte.SIZE * i);
        }
        size += Integer.BYTES;
    }

    /** Appends bytes as they are. */
    void raw(ByteBuffer view, int at, int length) {
        room(length);
        view.get(at, bytes, size, length);
        size += length;
    }

    /** Appends bytes as they are. */
    void raw(byte[] value) {
        raw(value, 0, value.length);
    }

    /** Appends bytes as they are. */
    void raw(byte[] value, int at, int length) {
        room(length);
        System.arraycopy(value, at, bytes, size, length);
        size += length;
    }

    /** Appends a string or bytes with their length. */
    void sized(byte[] value) {
        integer(value.length);
        raw(value);
    }

    /** Appends a string or bytes with their length, and zeros after them up to a length. */
    void sized(ByteBuffer view, int at, int length, int padded) {
        integer(padded);
        raw(view, at, length);
        if (padded > length) {
            room(padded - length);
            Arrays.fill(bytes, size, size + padded - length, (byte) 0);
            size += padded - length;
        }
    }

    /** Appends the lowest bytes of an integer, the highest of them first. */
    void big(long value, int length) {
        room(length);
        for (int i = length - 1; i >= 0; i--) {
            bytes[size++] = (byte) (value >> Byte.SIZE * i);
        }
    }

    /** Appends decimal digits with zeros in front of them. */
    void digits(int value, int length) {
        room(length);
        int left = value;
        for (int i = size + length - 1; i >= size; i--) {
            int next = left / 10;
            bytes[i] = (byte) ('0' + left - 10 * next);
            left = next;
        }
        size += length;
    }
}
