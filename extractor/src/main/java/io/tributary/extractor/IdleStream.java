package io.tributary.extractor;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/**
 * Tells when a stream that brings heartbeats only is to be opened again. MySQL does not tell those who read a binlog that it was reset: the
 * stream stays open, and may bring nothing for ever. Each time in a row it takes twice as long.
 */
final class IdleStream {
    private static final long LEAST_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long MOST_NANOS = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private long limit = LEAST_NANOS;
    private long until;
    private long end = -1;

    IdleStream(Clock clock) {
        this.clock = clock;
        begins();
    }

    /** A stream begins, or nobody has listened to it. */
    void begins() {
        until = clock.nanoTime() + limit;
    }

    /** Events have come, up to this offset of a file; heartbeats leave it as it is. */
    void heard(long offset) {
        if (offset != end) {
            end = offset;
            limit = LEAST_NANOS;
            begins();
        }
    }

    /** Whether to open the stream again now; the next time is later. */
    boolean isOver() {
        boolean isOver = clock.nanoTime() - until > 0;
        if (isOver) {
            limit = Math.min(MOST_NANOS, 2 * limit);
        }
        return isOver;
    }
}
