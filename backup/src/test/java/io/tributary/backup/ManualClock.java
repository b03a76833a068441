package io.tributary.backup;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/** Stands still until it is moved. */
final class ManualClock implements Clock {
    private long nanos;

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long epochMicros() {
        return nanos / 1000;
    }
}
