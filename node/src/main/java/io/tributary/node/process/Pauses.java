package io.tributary.node.process;

import java.util.concurrent.TimeUnit;

/** Back-off between attempts: 0.1 s at first, doubling up to 5 s; starts at the first pause again after a run that made progress. */
public final class Pauses {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;

    public Pauses() {
        this(FIRST_NANOS, LONGEST_NANOS);
    }

    public Pauses(long firstNanos, long longestNanos) {
        this.firstNanos = firstNanos;
        this.longestNanos = longestNanos;
        this.nextNanos = firstNanos;
    }

    /** @param madeProgress whether data became durable in the run that failed */
    public long nextNanos(boolean madeProgress) {
        if (madeProgress) {
            nextNanos = firstNanos;
        }
        long pause = nextNanos;
        nextNanos = Math.min(longestNanos, 2 * nextNanos);
        return pause;
    }
}
