package io.tributary.backup;

import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Lets so many bytes a second pass, by making whoever sent some wait before the next. One thread. */
final class Throttle {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier bytesPerSecond;
    private final Clock clock;
    private long freeNanos;

    /** @param bytesPerSecond 0 for as many as can be; may change */
    Throttle(LongSupplier bytesPerSecond, Clock clock) {
        this.bytesPerSecond = bytesPerSecond;
        this.clock = clock;
        this.freeNanos = clock.nanoTime();
    }

    /** Whether there is no need to wait. */
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
