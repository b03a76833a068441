package io.tributary.common.pipeline;

/**
 * A limit of bytes per second. Sent bytes are a debt that is paid off with time: a block is sent as a whole when there is no debt, and the next
 * one waits until the debt is paid. Any thread, once for each block.
 */
public final class RateLimiter {
    private static final double SECOND = 1e9;

    private final Clock clock;
    private long bytesPerSecond;
    private long paidNanos;

    public RateLimiter(Clock clock) {
        this.clock = clock;
        this.paidNanos = clock.nanoTime();
    }

    /** Sets the rate; 0 for no limit. */
    public synchronized void rate(long newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    /** Nanoseconds until the next block may be sent; 0 for now. */
    public synchronized long waitNanos() {
        return bytesPerSecond == 0 ? 0 : Math.max(0, paidNanos - clock.nanoTime());
    }

    /** Records a sent block. */
    public synchronized void sent(long bytes) {
        if (bytesPerSecond > 0) {
            long now = clock.nanoTime();
            long from = now - paidNanos > 0 ? now : paidNanos;
            paidNanos = from + (long) (bytes * SECOND / bytesPerSecond);
        }
    }
}
