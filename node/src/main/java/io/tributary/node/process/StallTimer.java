package io.tributary.node.process;

import java.util.function.LongSupplier;

/** Measures for how long a counter has not changed; exact only to the interval between two calls. For one thread. */
public final class StallTimer {
    private final LongSupplier nanoTime;
    private long count = -1;
    private long sinceNanos;

    /** @param nanoTime the clock */
    public StallTimer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Returns for how long the counter has had its current value, ns.
     *
     * @param now current value, from 0
     */
    public long nanos(long now) {
        long time = nanoTime.getAsLong();
        if (now != count) {
            count = now;
            sinceNanos = time;
        }
        return time - sinceNanos;
    }
}
