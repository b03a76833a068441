package io.tributary.node.admin;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of answers that are being sent, of all connections together; any thread. */
final class AnswerBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /** @param most in bytes */
    AnswerBudget(long most) {
        this.most = most;
    }

    /** Whether there was room for so many more bytes, which are taken then. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        release(bytes);
        return false;
    }

    void release(long bytes) {
        taken.addAndGet(-bytes);
    }
}
