package io.tributary.dumper.serve;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;

/** Calls for a heartbeat after each silence of a period. On one reader's loop. */
final class SilenceTimer {
    private static final long SHORTEST_NANOS = 1_000_000;

    private final EventExecutor loop;
    private final Clock clock;
    private final long periodNanos;
    private final Runnable beat;
    private long lastSentNanos;
    private ScheduledFuture<?> next;

    /** @param periodNanos 0 for never */
    SilenceTimer(EventExecutor loop, Clock clock, long periodNanos, Runnable beat) {
        this.loop = loop;
        this.clock = clock;
        this.periodNanos = periodNanos;
        this.beat = beat;
    }

    /** Something goes out now. */
    void sent() {
        lastSentNanos = clock.nanoTime();
    }

    /** Begins to look, if it does not yet. */
    void start() {
        if (periodNanos > 0 && next == null) {
            schedule(periodNanos);
        }
    }

    private void schedule(long nanos) {
        next = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        long silent = clock.nanoTime() - lastSentNanos;
        if (silent >= periodNanos) {
            beat.run();
            silent = 0;
        }
        if (next != null) {
            schedule(Math.max(SHORTEST_NANOS, periodNanos - silent));
        }
    }

    void stop() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
