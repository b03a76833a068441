package io.tributary.seed.copy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;

/** Waiting that an interrupt ends. */
final class Pause {
    private static final long LONGEST_NANOS = 100_000_000;

    private Pause() {}

    /** Waits for up to 100 ms; the caller asks again whether it has to wait. */
    static void upTo(long nanos) {
        if (nanos > 0) {
            LockSupport.parkNanos(Math.min(nanos, LONGEST_NANOS));
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while it copied rows");
        }
    }
}
