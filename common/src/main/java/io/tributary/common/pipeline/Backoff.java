package io.tributary.common.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The pauses between attempts: each is twice as long as the previous one, up to a limit. For one thread. */
public final class Backoff {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;

    /** From 0.1 s to 5 s. */
    public Backoff() {
        this(FIRST_NANOS, LONGEST_NANOS);
    }

    /** @param longestNanos at least {@code firstNanos}; else every pause is {@code firstNanos} */
    public Backoff(long firstNanos, long longestNanos) {
        this.firstNanos = firstNanos;
        this.longestNanos = Math.max(firstNanos, longestNanos);
        this.nextNanos = firstNanos;
    }

    /** The same as durations. */
    public Backoff(Duration first, Duration longest) {
        this(first.toNanos(), longest.toNanos());
    }

    /** The next pause, ns. */
    public long nextNanos() {
        long pause = nextNanos;
        nextNanos = Math.min(longestNanos, 2 * nextNanos);
        return pause;
    }

    /**
     * The next pause, ns, after an attempt that failed.
     *
     * @param madeProgress whether the attempt achieved something before it failed: then the shortest pause follows
     */
    public long nextNanos(boolean madeProgress) {
        if (madeProgress) {
            reset();
        }
        return nextNanos();
    }

    /** Begins with the shortest pause again. */
    public void reset() {
        nextNanos = firstNanos;
    }
}
