package io.tributary.backup;

import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits the bytes per second, by making the sender wait before it sends more. One thread. */
final class Throttle {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier bytesPerSecond;
    private final Clock clock;
    private long freeNanos;

    /** @param bytesPerSecond 0 for no limit; may change */
    Throttle(LongSupplier bytesPerSecond, Clock clock) {
        this.bytesPerSecond = bytesPerSecond;
        this.clock = clock;
        this.freeNanos = clock.nanoTime();
    }

    /** Whether the sender need not wait. */
    boolean isFree() {
        return clock.nanoTime() - freeNanos >= 0;
    }

    void sent(long bytes) {
        long most = bytesPerSecond.getAsLong();
        if (most > 0) {
            long now = clock.nanoTime();
            long from = now - freeNanos > 0 ? now : freeNanos;
            freeNanos = from + (long) ((double) bytes / most * SECOND);
        }
    }
}
