package io.tributary.schema.write;

import io.tributary.common.io.PackedInteger;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A growing byte array, with MySQL's length-encoded integers. */
final class PackedBytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteBuffer number = ByteBuffer.allocate(PackedInteger.MAX_LENGTH);

    void u8(int value) {
        bytes.write(value);
    }

    void packed(long value) {
        bytes.write(number.array(), 0, PackedInteger.put(number, 0, value));
    }

    void bytes(byte[] view) {
        bytes.write(view, 0, view.length);
    }

    /** Appends the length and the bytes. */
    void text(byte[] view) {
        packed(view.length);
        bytes(view);
    }

    int length() {
        return bytes.size();
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
