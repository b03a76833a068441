package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Receives a rewritten event, piece by piece, in order. */
@FunctionalInterface
public interface Output {
    /**
     * Receives the bytes {@code from..to-1} of a buffer, which are valid until the method returns.
     *
     * @param view read only: a buffer of the caller of {@code RowReshaper.reshape} or of the reshaper
     */
    void write(ByteBuffer view, int from, int to);
}
