package io.tributary.dumper;

import io.tributary.common.pipeline.Clock;
import java.util.concurrent.TimeUnit;

/**
 * The oldest file that somebody needs at the leader. It counts for some time after the leader said it: whoever reads there comes here when
 * the leader is no more.
 *
 * @param number of the file; 0 for none
 * @param saidNanos when, by the clock
 */
public record OldestHeld(int number, long saidNanos, Clock clock) {
    /** Nobody needs anything. */
    static final OldestHeld NONE = new OldestHeld(0, 0, Clock.SYSTEM);

    private static final long COUNTS_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** The first file that has to stay; a number above all where any may go. */
    int firstToStay() {
        boolean counts = number > 0 && clock.nanoTime() - saidNanos < COUNTS_NANOS;
        return counts ? number : Integer.MAX_VALUE;
    }
}
