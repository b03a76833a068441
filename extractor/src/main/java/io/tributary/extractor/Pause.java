package io.tributary.extractor;

import java.time.Duration;

/** Pauses between attempts: each twice as long as the one before, up to a bound. */
final class Pause {
    private final long minNanos;
    private final long maxNanos;
    private long nextNanos;

    Pause(Duration min, Duration max) {
        this.minNanos = min.toNanos();
        this.maxNanos = Math.max(minNanos, max.toNanos());
        this.nextNanos = minNanos;
    }

    /** How long to wait now, in nanoseconds. */
    long next() {
        long now = nextNanos;
        nextNanos = Math.min(maxNanos, nextNanos * 2);
        return now;
    }

    /** An attempt succeeded. */
    void reset() {
        nextNanos = minNanos;
    }
}
