package io.tributary.testkit;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/** A clock that changes only when a test moves it. Its nanoseconds start below zero, as a machine's may; its date starts at 1970-01-01. */
public final class ManualClock implements Clock {
    private static final long BEGIN_NANOS = -1_000_000_000;

    private long passedNanos;

    public void pass(Duration time) {
        passedNanos += time.toNanos();
    }

    @Override
    public long nanoTime() {
        return BEGIN_NANOS + passedNanos;
    }

    @Override
    public long epochMicros() {
        return passedNanos / 1000;
    }
}
