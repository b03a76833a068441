package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Converts one stored value, not null, to another. Immutable. */
@FunctionalInterface
public interface Conversion {
    /**
     * Writes the value in {@code from..to-1}, with the length before it if the type has one.
     *
     * @return false if it does not convert; nothing or a part of it may have been written
     */
    boolean convert(ByteBuffer view, int from, int to, RowBytes out);
}
