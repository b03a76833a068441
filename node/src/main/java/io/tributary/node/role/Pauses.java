package io.tributary.node.role;

import java.util.concurrent.TimeUnit;

/** How long to wait before the next attempt: 1 s, doubling up to 30 s; from the start again after a good run. */
final class Pauses {
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** A pipeline that ran this long did its work: what failed then is another failure. */
    private static final long GOOD_RUN_NANOS = TimeUnit.SECONDS.toNanos(60);

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

    /** @param ranNanos how long the pipeline ran that failed */
    long nextNanos(long ranNanos) {
        if (ranNanos >= GOOD_RUN_NANOS) {
            nextNanos = firstNanos;
        }
        long pause = nextNanos;
        nextNanos = Math.min(longestNanos, 2 * nextNanos);
        return pause;
    }
}
