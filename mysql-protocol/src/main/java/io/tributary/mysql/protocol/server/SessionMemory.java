package io.tributary.mysql.protocol.server;

import io.tributary.common.pipeline.ByteBudget;
import io.tributary.mysql.protocol.SessionMemoryException;

/**
 * The memory that one session uses for user variables, prepared statements and packets: a part of the limit of all sessions together. Any
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
     * Reserves more bytes.
     *
     * @throws SessionMemoryException if there is not enough; nothing is reserved then
     */
    void take(long bytes) {
        take(bytes, most);
    }

    /** As {@link #take(long)}, with another limit of this session for this call. */
    synchronized void take(long bytes, long mostOfSession) {
        if (taken + bytes > mostOfSession) {
            throw SessionMemoryException.ofSession(mostOfSession);
        }
        if (isClosed || !all.take(counted(taken + bytes) - counted(taken))) {
            throw SessionMemoryException.ofAll(all.most());
        }
        taken += bytes;
    }

    /** The part that counts for all sessions: each session always has its first bytes. */
    private static long counted(long bytes) {
        return Math.max(0, bytes - FREE_BYTES);
    }

    /** As {@link #take}; returns false instead of throwing. */
    boolean tryTake(long bytes) {
        try {
            take(bytes);
            return true;
        } catch (SessionMemoryException e) {
            return false;
        }
    }

    /** Releases reserved bytes. */
    synchronized void release(long bytes) {
        if (!isClosed) {
            all.release(counted(taken) - counted(taken - bytes));
            taken -= bytes;
        }
    }

    /** Releases all bytes at the end of the session; nothing can be reserved any more. */
    synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            all.release(counted(taken));
            taken = 0;
        }
    }
}
