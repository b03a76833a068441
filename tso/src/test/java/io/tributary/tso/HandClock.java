package io.tributary.tso;

import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;

/** A clock that the test moves; wall time and monotonic time are separate. */
final class HandClock implements Clock {
    static final long START_MILLIS = 1_800_000_000_000L;

    private long wallMillis = START_MILLIS;
    private long nanos = -5_000_000_000L;

    void passes(long millis) {
        wallMillis += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Sets the wall clock, forwards or backwards. */
    void isSet(long byMillis) {
        wallMillis += byMillis;
    }

    long wallMillis() {
        return wallMillis;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long epochMicros() {
        return TimeUnit.MILLISECONDS.toMicros(wallMillis);
    }
}
