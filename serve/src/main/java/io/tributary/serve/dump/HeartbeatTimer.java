package io.tributary.serve.dump;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Triggers a heartbeat after each period without an event. On one reader's event loop. */
final class HeartbeatTimer {
    private static final long SHORTEST_NANOS = 1_000_000;

    private final ReaderConnection connection;
    private final long periodNanos;
    private final Runnable beat;
    private ScheduledFuture<?> next;

    /**
     * Creates the timer.
     *
     * @param periodNanos 0 for never
     */
    HeartbeatTimer(ReaderConnection connection, long periodNanos, Runnable beat) {
        this.connection = connection;
        this.periodNanos = periodNanos;
        this.beat = beat;
    }

    /** Starts the timer if it is not running. */
    void start() {
        if (periodNanos > 0 && next == null) {
            schedule(periodNanos);
        }
    }

    private void schedule(long nanos) {
        next = connection.lane().loop().schedule(this::poll, nanos, TimeUnit.NANOSECONDS);
    }

    private void poll() {
        long silent = connection.silentNanos();
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
