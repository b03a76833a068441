package io.tributary.common.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The pauses between attempts: each is twice as long as the previous one, up to a limit. For one thread. */
public final class Backoff {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long firstNanos;
    private final LongSupplier longestNanos;
    private long nextNanos;

    /** From 0.1 s to 5 s. */
    public Backoff() {
        this(FIRST_NANOS, LONGEST_NANOS);
    }

    /** @param longestNanos at least {@code firstNanos}; else every pause is {@code firstNanos} */
    public Backoff(long firstNanos, long longestNanos) {
        this(firstNanos, () -> longestNanos);
    }

    private Backoff(long firstNanos, LongSupplier longestNanos) {
        this.firstNanos = firstNanos;
        this.longestNanos = longestNanos;
        this.nextNanos = firstNanos;
    }

    /**
     * From 0.1 s to a limit that may change.
     *
     * @param longestNanos asked for each pause; while it is less than 0.1 s, every pause is 0.1 s
     */
    public static Backoff upTo(LongSupplier longestNanos) {
        return new Backoff(FIRST_NANOS, longestNanos);
    }

    /** The same as durations. */
    public Backoff(Duration first, Duration longest) {
        this(first.toNanos(), longest.toNanos());
    }

    /** The next pause, ns. */
    public long nextNanos() {
        long longest = Math.max(firstNanos, longestNanos.getAsLong());
        long pause = Math.min(longest, nextNanos);
        nextNanos = Math.min(longest, 2 * pause);
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
