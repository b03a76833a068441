package io.tributary.common.value;

import java.nio.ByteBuffer;

/**
 * The normalised events of one transaction or branch, in memory or on the spill disk; it has one owner, which releases it once.
 * Bytes are immutable. Any thread may read, but only one at a time per cursor.
 */
public interface Payload {
    /** Total number of bytes, 0 or more. */
    long length();

    /** Total number of events. */
    int events();

    /**
     * The whole payload as one range of bytes if it is contiguous in memory, otherwise null: then read it by {@link #open()}.
     * The view is valid until {@link #release()}; read it with absolute access from its position to its limit only.
     */
    ByteBuffer contiguousView();

    /** Opens a cursor at the first byte; the caller closes it before the payload is released. */
    Cursor open();

    /** Releases the bytes; they must not be read afterwards. Called exactly once, by the owner, from any thread. */
    void release();

    /** Byte ranges of a payload, in order. */
    interface Cursor extends AutoCloseable {
        /**
         * The next range, or null at the end. A view from position to limit, valid until the next call. A range begins at an
         * event's first byte, or continues the event that the previous range did not finish; the 19 bytes of a header
         * are never split.
         */
        ByteBuffer next();

        @Override
        void close();
    }
}
