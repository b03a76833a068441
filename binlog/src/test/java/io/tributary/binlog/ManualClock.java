package io.tributary.binlog;

import io.tributary.common.pipeline.Clock;

/** A clock that changes only when a test advances it. */
public final class ManualClock implements Clock {
    private long nanos = 1;

    public void advanceMillis(long millis) {
        nanos += millis * 1_000_000;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long epochMicros() {
        return 1_700_000_000_000_000L + nanos / 1000;
    }
}
