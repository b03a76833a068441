package io.tributary.dumper.serve.dump;

import io.tributary.common.pipeline.Clock;

/**
 * The rate limit of all dumps of one user. Sent bytes are a debt that is paid off with time. A block is sent as a whole when there is no debt,
 * and the next one waits until the debt is paid. Any thread, once for each block.
 */
public final class Pace {
    private static final long SECOND = 1_000_000_000L;

    private final Clock clock;
    private long bytesPerSecond;
    private long paidNanos;

    public Pace(Clock clock) {
        this.clock = clock;
        this.paidNanos = clock.nanoTime();
    }

    /** Sets the rate; 0 for no limit. */
    public synchronized void rate(long rate) {
        bytesPerSecond = rate;
    }

    /** Nanoseconds until the next block may be sent; 0 for now. */
    synchronized long waitNanos() {
        return bytesPerSecond == 0 ? 0 : Math.max(0, paidNanos - clock.nanoTime());
    }

    /** Records a sent block. */
    synchronized void sent(long bytes) {
        if (bytesPerSecond > 0) {
            long from = Math.max(paidNanos, clock.nanoTime());
            paidNanos = from + bytes * SECOND / bytesPerSecond;
        }
    }
}
