package io.tributary.testkit.source;

import java.util.Arrays;

/** The bytes of a file that is only appended to. For one thread. */
final class GrowingFile {
    private byte[] bytes = new byte[1 << 12];
    private int end;

    /** Its length in bytes. */
    int end() {
        return end;
    }

    /** Appends the first {@code length} bytes. */
    void append(byte[] more, int length) {
        if (end + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (end + length));
        }
        System.arraycopy(more, 0, bytes, end, length);
        end += length;
    }

    /** The bytes from one offset to before another one. */
    byte[] copy(int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }
}
