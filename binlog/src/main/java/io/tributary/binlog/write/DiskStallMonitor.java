package io.tributary.binlog.write;

import io.tributary.common.pipeline.Clock;

/** Measures how long a thread has been waiting for the disk: a hanging disk neither answers nor fails. One thread calls it, any thread reads it. */
final class DiskStallMonitor {
    private final Clock clock;
    private volatile long sinceNanos;
    private volatile boolean inProgress;

    DiskStallMonitor(Clock clock) {
        this.clock = clock;
    }

    void start() {
        sinceNanos = clock.nanoTime();
        inProgress = true;
    }

    /** The call has ended; returns its duration, ns. */
    long stop() {
        inProgress = false;
        return clock.nanoTime() - sinceNanos;
    }

    /** When the last call began. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Duration of the call in progress, ns; 0 when none is in progress. */
    long nanos() {
        long since = sinceNanos;
        return inProgress ? Math.max(0, clock.nanoTime() - since) : 0;
    }
}
