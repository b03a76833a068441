package io.tributary.node.role;

import java.util.concurrent.TimeUnit;

/** How long to wait before the next attempt: a moment, doubling up to 10 s; from the start again after a run that got on. */
final class Pauses {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;

    Pauses() {
        this(FIRST_NANOS, LONGEST_NANOS);
    }

    Pauses(long firstNanos, long longestNanos) {
        this.firstNanos = firstNanos;
        this.longestNanos = longestNanos;
        this.nextNanos = firstNanos;
    }

    /** @param gotOn whether something became durable in the run that failed */
    long nextNanos(boolean gotOn) {
        if (gotOn) {
            nextNanos = firstNanos;
        }
        long pause = nextNanos;
        nextNanos = Math.min(longestNanos, 2 * nextNanos);
        return pause;
    }
}
