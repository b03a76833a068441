package io.tributary.schema.rows;

import java.nio.ByteBuffer;

/** Receives a rewritten event, piece by piece, in order. */
@FunctionalInterface
public interface Output {
    /**
     * Takes the bytes {@code from..to-1} of a buffer, which are good until the method returns.
     *
     * @param view looked at only: a buffer of the caller of {@link RowReshaper#reshape} or of the reshaper
     */
    void write(ByteBuffer view, int from, int to);
}
