package io.tributary.common.cluster;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lease of one leader term: it holds for some time after each proof that no other node leads. A proof is an answer of the coordinator,
 * or messages of so many followers that no election is possible without them ({@link Quorum#followers}). The time counts from the
 * request for the proof, not from its answer. After the lease has ended it stays ended: a late proof does not renew it.
 */
public final class TimedLease implements Lease {
    private final Clock clock;
    private final long lengthNanos;
    private final AtomicLong proven; // nanoTime of the request for the newest proof
    private volatile boolean isOver;

    /** @param askedNanos {@link Clock#nanoTime} at the request for the first proof */
    public TimedLease(Clock clock, Duration length, long askedNanos) {
        this.clock = clock;
        this.lengthNanos = length.toNanos();
        this.proven = new AtomicLong(askedNanos);
    }

    /**
     * Renews the lease: at the time of the request no other node led. Any thread.
     *
     * @param askedNanos {@link Clock#nanoTime} when the request was sent whose answer is the proof
     */
    public void prove(long askedNanos) {
        if (holds()) {
            proven.accumulateAndGet(askedNanos, (known, asked) -> asked - known > 0 ? asked : known);
        }
    }

    /** Ends the lease at once: another node leads or will lead. */
    public void end() {
        isOver = true;
    }

    /** Nanoseconds for which it holds without another proof; 0 if it has ended. */
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
