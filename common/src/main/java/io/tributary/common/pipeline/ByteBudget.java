package io.tributary.common.pipeline;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of memory that clients of one front door may take, all of them together. Any thread. */
public final class ByteBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /** @param most in bytes */
    public ByteBudget(long most) {
        this.most = most;
    }

    /** Whether there was room for so many more bytes, which are taken then. */
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Gives bytes back that were taken. */
    public void release(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Bytes that may be taken together. */
    public long most() {
        return most;
    }

    /** Bytes that are taken now. */
    public long taken() {
        return taken.get();
    }
}
