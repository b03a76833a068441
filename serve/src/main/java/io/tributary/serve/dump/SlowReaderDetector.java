package io.tributary.serve.dump;

import java.time.Duration;

/** Detects a reader that receives nothing of what waits to be sent to it. On its event loop. */
final class SlowReaderDetector {
    private long sentBytes;
    private long receivedBytes = -1;
    private long receivedAtNanos;

    void sent(int bytes) {
        sentBytes += bytes;
    }

    /**
     * Whether nothing was received for that long.
     *
     * @param waitingBytes bytes that were passed to the connection and not sent yet
     */
    boolean isStalled(long waitingBytes, long nowNanos, Duration limit) {
        long received = sentBytes - waitingBytes;
        if (waitingBytes == 0 || received != receivedBytes) {
            receivedBytes = received;
            receivedAtNanos = nowNanos;
        }
        return nowNanos - receivedAtNanos >= limit.toNanos();
    }
}
