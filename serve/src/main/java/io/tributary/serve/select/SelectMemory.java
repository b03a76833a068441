package io.tributary.serve.select;

import io.tributary.common.pipeline.ByteBudget;
import io.tributary.mysql.protocol.server.RowStream;

/**
 * The memory of one SELECT, a part of that of all sessions together (serve.memory). A fixed amount for each stream contains its short rows, its
 * buffers and those of the client; long rows are counted one by one. On one event loop.
 */
final class SelectMemory {
    /** Rows up to this length are contained in the amount of their stream, in bytes. */
    static final int SHORT_ROW = RowStream.BLOCK;

    /** A stream stops to read when it holds more bytes of rows than this. */
    static final int MOST_HELD = 64 << 10;

    /** Largest buffer in which a stream receives, in bytes. */
    static final int MOST_READ = 64 << 10;

    /** The rows of a stream, the buffer that is read, and the buffers at both ends of the rows, of which the rows are only a part. */
    private static final int STREAM = MOST_HELD + 3 * MOST_READ;

    /** What waits to be sent to the client. */
    private static final int CLIENT = 128 << 10;

    private final ByteBudget all;
    private long taken;
    private boolean isClosed;

    SelectMemory(ByteBudget all) {
        this.all = all;
    }

    /** Reserves the memory of some streams; false if there is not enough now. */
    boolean reserve(int streams) {
        return take(CLIENT + (long) streams * STREAM);
    }

    /** Reserves the memory of a packet of a row, if it is a long one; false if there is not enough now. */
    boolean takePacket(long length) {
        return take(counted(length));
    }

    /** What is counted for a packet of a row: its buffer grows by copies, and is copied to be sent. */
    static long counted(long length) {
        return length <= SHORT_ROW ? 0 : 2 * length;
    }

    private boolean take(long bytes) {
        boolean isTaken = !isClosed && all.take(bytes);
        taken += isTaken ? bytes : 0;
        return isTaken;
    }

    /** Passes a part on to somebody else, who releases it; false after the end. */
    boolean passOn(long bytes) {
        taken -= isClosed ? 0 : bytes;
        return !isClosed;
    }

    /** Releases a part; without effect after the end. */
    void release(long bytes) {
        if (!isClosed) {
            all.release(bytes);
            taken -= bytes;
        }
    }

    /** The limit of all sessions together, in bytes. */
    long most() {
        return all.most();
    }

    /** Releases everything; nothing can be taken any more. */
    void close() {
        release(taken);
        isClosed = true;
    }
}
