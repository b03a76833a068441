package io.tributary.mysql.protocol.server;

import io.tributary.common.pipeline.ByteBudget;

/**
 * The memory that one session holds for what its client has set, prepared and sent: a part of what all sessions together may hold. Any
 * thread.
 */
final class SessionMemory {
    private static final int FREE_BYTES = 16 << 10;

    private final ByteBudget all;
    private final long most;
    private long taken; // guarded by this
    private boolean isClosed; // guarded by this

    /**
     * @param all of all sessions together
     * @param most of this one, in bytes
     */
    SessionMemory(ByteBudget all, long most) {
        this.all = all;
        this.most = most;
    }

    /**
     * Takes so many more bytes.
     *
     * @throws SessionMemoryException where there is no room for them; nothing is taken then
     */
    void take(long bytes) {
        take(bytes, most);
    }

    /** As {@link #take(long)}, where this session may hold so much for once. */
    synchronized void take(long bytes, long mostOfSession) {
        if (taken + bytes > mostOfSession) {
            throw SessionMemoryException.ofSession(mostOfSession);
        }
        if (isClosed || !all.take(counted(taken + bytes) - counted(taken))) {
            throw SessionMemoryException.ofAll(all.most());
        }
        taken += bytes;
    }

    /** What of it counts for all: what little each session needs it always gets. */
    private static long counted(long bytes) {
        return Math.max(0, bytes - FREE_BYTES);
    }

    /** As {@link #take}; false in place of the exception. */
    boolean tries(long bytes) {
        try {
            take(bytes);
            return true;
        } catch (SessionMemoryException e) {
            return false;
        }
    }

    /** Gives bytes back that were taken. */
    synchronized void release(long bytes) {
        if (!isClosed) {
            all.release(counted(taken) - counted(taken - bytes));
            taken -= bytes;
        }
    }

    /** The session is over: all is given back, and nothing can be taken any more. */
    synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            all.release(counted(taken));
            taken = 0;
        }
    }
}
