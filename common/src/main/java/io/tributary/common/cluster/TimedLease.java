package io.tributary.common.cluster;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lease of one reign: holds for some time from each proof that nobody else leads. Proof is the coordinator's word, or the word of as
 * many followers as it takes to make an election impossible without them ({@link Quorum#followers}). It counts from when
 * it was asked for, not from when it came. Once it has run out it stays so: a late proof does not revive it.
 */
public final class TimedLease implements Lease {
    private final Clock clock;
    private final long lengthNanos;
    private final AtomicLong proven; // nanoTime at which the newest proof was asked for
    private volatile boolean isOver;

    /** @param askedNanos {@link Clock#nanoTime} when the first proof was asked for */
    public TimedLease(Clock clock, Duration length, long askedNanos) {
        this.clock = clock;
        this.lengthNanos = length.toNanos();
        this.proven = new AtomicLong(askedNanos);
    }

    /**
     * Nobody else led when this was asked for. Any thread.
     *
     * @param askedNanos {@link Clock#nanoTime} when the question left, whose answer is the proof
     */
    public void prove(long askedNanos) {
        if (holds()) {
            proven.accumulateAndGet(askedNanos, (known, asked) -> asked - known > 0 ? asked : known);
        }
    }

    /** Gives it up at once: another leads, or is to. */
    public void end() {
        isOver = true;
    }

    /** Nanoseconds for which it holds without another proof; 0 when it does not. */
    public long leftNanos() {
        return holds() ? Math.max(0, proven.get() + lengthNanos - clock.nanoTime()) : 0;
    }

    @Override
    public boolean holds() {
        if (!isOver && clock.nanoTime() - proven.get() >= lengthNanos) {
            isOver = true;
        }
        return !isOver;
    }
}
