package io.tributary.common.pipeline;

import java.util.concurrent.atomic.AtomicLong;

/** Memory in bytes that all clients of one listener may use together. Any thread. */
public final class ByteBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /** @param most in bytes */
    public ByteBudget(long most) {
        this.most = most;
    }

    /** Reserves bytes if that many are free, and returns whether it did. */
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Releases reserved bytes. */
    public void release(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** The limit in bytes. */
    public long most() {
        return most;
    }

    /** The bytes reserved now. */
    public long taken() {
        return taken.get();
    }
}
