package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/**
 * The time after which no injection starts.
 *
 * @param nanos time of the clock of {@link Clock#nanoTime()}
 */
public record TimeLimit(long nanos) {
    private static final Duration A_DAY = Duration.ofDays(1);

    /** This long from now. */
    public static TimeLimit in(Duration duration) {
        return new TimeLimit(Clock.SYSTEM.nanoTime() + duration.toNanos());
    }

    /** A limit longer than any run. */
    public static TimeLimit none() {
        return in(A_DAY);
    }

    boolean isOver() {
        return Clock.SYSTEM.nanoTime() - nanos >= 0;
    }
}
