package io.tributary.extractor.stream;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/**
 * The timer that decides when a stream with heartbeats only must be opened again. MySQL does not notify readers of a binlog that it was reset:
 * the stream stays open and may never deliver anything. Each time in a row the timer takes twice as long.
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
        restart();
    }

    /** Restarts the timer: a stream begins, or it was not read for a time. */
    void restart() {
        until = clock.nanoTime() + limit;
    }

    /** Restarts the timer if events were read, up to this offset of a file; heartbeats do not change the offset. */
    void eventsRead(long offset) {
        if (offset != end) {
            end = offset;
            limit = LEAST_NANOS;
            restart();
        }
    }

    /** Whether to open the stream again now; then the next time comes later. */
    boolean isOver() {
        boolean isOver = clock.nanoTime() - until > 0;
        if (isOver) {
            limit = Math.min(MOST_NANOS, 2 * limit);
        }
        return isOver;
    }
}
