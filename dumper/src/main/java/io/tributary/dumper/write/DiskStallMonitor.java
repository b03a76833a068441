package io.tributary.dumper.write;

import io.tributary.common.pipeline.Clock;

/** For how long a thread has been waiting for the disk: a disk that hangs neither answers nor fails. One thread calls it, any thread asks. */
final class DiskCall {
    private final Clock clock;
    private volatile long sinceNanos;
    private volatile boolean isUnderWay;

    DiskCall(Clock clock) {
        this.clock = clock;
    }

    void begins() {
        sinceNanos = clock.nanoTime();
        isUnderWay = true;
    }

    void ends() {
        isUnderWay = false;
    }

    /** For how long the call that is under way has been so, ns; 0 where none is. */
    long nanos() {
        long since = sinceNanos;
        return isUnderWay ? Math.max(0, clock.nanoTime() - since) : 0;
    }
}
