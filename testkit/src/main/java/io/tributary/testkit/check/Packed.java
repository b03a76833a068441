package io.tributary.testkit.check;

import java.nio.ByteBuffer;

/** MySQL's length-encoded integer. */
final class Packed {
    private Packed() {}

    /** Reads one at the position of a little-endian buffer and moves on. */
    static long read(ByteBuffer in) {
        int first = in.get() & 0xFF;
        return switch (first) {
            case 251 -> throw new IllegalStateException("NULL where a length was expected");
            case 252 -> in.getShort() & 0xFFFF;
            case 253 -> (in.getShort() & 0xFFFF) | (in.get() & 0xFF) << 16;
            case 254 -> in.getLong();
            default -> first;
        };
    }
}
