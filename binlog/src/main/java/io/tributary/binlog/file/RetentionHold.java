package io.tributary.binlog.file;

import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;

/**
 * The oldest file that is needed on the leader. It is valid for 10 minutes after the leader reported it: readers of the leader connect to
 * this node when the leader fails.
 *
 * @param number of the file; 0 for none
 * @param receivedNanos when it was received, by the clock
 */
public record RetentionHold(int number, long receivedNanos, Clock clock) {
    /** No file is needed. */
    static final RetentionHold NONE = new RetentionHold(0, 0, Clock.SYSTEM);

    private static final long COUNTS_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Number of the first file to keep; {@link Integer#MAX_VALUE} when any file may be purged. */
    public int firstToKeep() {
        boolean counts = number > 0 && clock.nanoTime() - receivedNanos < COUNTS_NANOS;
        return counts ? number : Integer.MAX_VALUE;
    }
}
