package io.tributary.schema.rows;

import java.nio.ByteBuffer;

/** Turns one stored value, not null, into another. Immutable. */
@FunctionalInterface
interface Conversion {
    /**
     * Writes the value in {@code from..to-1}, with the length in front where the type has one.
     *
     * @return false when it does not convert, with nothing or a part of it written
     */
    boolean convert(ByteBuffer view, int from, int to, RowBytes out);
}
