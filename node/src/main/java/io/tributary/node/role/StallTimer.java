package io.tributary.node.role;

import java.util.function.LongSupplier;

/** For how long a count has stood still, as often as it is looked at. For one thread. */
final class Standstill {
    private final LongSupplier nanoTime;
    private long count = -1;
    private long sinceNanos;

    /** @param nanoTime the clock */
    Standstill(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * For how long it has been what it is now, ns.
     *
     * @param now 0 up
     */
    long nanos(long now) {
        long time = nanoTime.getAsLong();
        if (now != count) {
            count = now;
            sinceNanos = time;
        }
        return time - sinceNanos;
    }
}
