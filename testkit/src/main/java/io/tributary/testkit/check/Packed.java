package io.tributary.testkit.check;

import java.nio.ByteBuffer;

/** Reads MySQL's length-encoded integers. */
final class Packed {
    private Packed() {}

    /** Reads one at the position of a little-endian buffer and advances the position. */
    static long read(ByteBuffer in) {
        int first = in.get() & 0xFF;
        return switch (first) {
            case 251 -> throw new IllegalStateException("expected a length, found NULL");
            case 252 -> in.getShort() & 0xFFFF;
            case 253 -> (in.getShort() & 0xFFFF) | (in.get() & 0xFF) << 16;
            case 254 -> in.getLong();
            default -> first;
        };
    }
}
