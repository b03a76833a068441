package io.tributary.dumper.serve;

import java.time.Duration;

/** Tells of a reader that takes nothing of what waits to be sent to it. On its loop. */
final class TakenWatch {
    private long sentBytes;
    private long takenBytes = -1;
    private long takenAtNanos;

    void sent(int bytes) {
        sentBytes += bytes;
    }

    /**
     * Whether nothing was taken for so long.
     *
     * @param waitingBytes of what was sent
     */
    boolean isStill(long waitingBytes, long nowNanos, Duration limit) {
        long taken = sentBytes - waitingBytes;
        if (waitingBytes == 0 || taken != takenBytes) {
            takenBytes = taken;
            takenAtNanos = nowNanos;
        }
        return nowNanos - takenAtNanos >= limit.toNanos();
    }
}
