package io.tributary.extractor;

import java.time.Duration;

/** The pauses between attempts: each is twice as long as the previous one, up to a limit. */
public final class Pause {
    private final long minNanos;
    private final long maxNanos;
    private long nextNanos;

    public Pause(Duration min, Duration max) {
        this.minNanos = min.toNanos();
        this.maxNanos = Math.max(minNanos, max.toNanos());
        this.nextNanos = minNanos;
    }

    /** The next pause, ns. */
    public long next() {
        long now = nextNanos;
        nextNanos = Math.min(maxNanos, nextNanos * 2);
        return now;
    }

    /** Begins with the shortest pause again: an attempt has succeeded. */
    public void reset() {
        nextNanos = minNanos;
    }
}
