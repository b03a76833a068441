package io.tributary.common.value;

import java.nio.ByteBuffer;

/**
 * The normalised events of one transaction or branch, wherever the store keeps them: one owner, who releases it once.
 * Bytes are immutable. Any thread may read, one at a time for each cursor.
 */
public interface Payload {
    /** Bytes in all, 0 or more. */
    long length();

    /** Events in all. */
    int events();

    /**
     * The whole payload as one range of bytes when it lies in memory in one piece, else null: read it by {@link #open()}.
     * A view, good until {@link #release()}; read it with absolute access from its position to its limit only.
     */
    ByteBuffer contiguousView();

    /** Opens a cursor at the first byte; the caller closes it before the payload is released. */
    Cursor open();

    /** Gives the bytes back; nobody may read them afterwards. Called exactly once, by the owner, from any thread. */
    void release();

    /** Byte ranges of a payload, in order. */
    interface Cursor extends AutoCloseable {
        /**
         * The next range, or null at the end. A view from position to limit, good until the next call. A range begins at an
         * event's first byte, or goes on with the event that the range before it left unfinished; the 19 bytes of a header
         * are never split.
         */
        ByteBuffer next();

        @Override
        void close();
    }
}
