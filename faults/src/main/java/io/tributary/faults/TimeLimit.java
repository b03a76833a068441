package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;

/**
 * When nothing more is begun.
 *
 * @param nanos on the clock of {@link Clock#nanoTime()}
 */
public record TimeLimit(long nanos) {
    private static final Duration A_DAY = Duration.ofDays(1);

    /** So long from now on. */
    public static TimeLimit in(Duration duration) {
        return new TimeLimit(Clock.SYSTEM.nanoTime() + duration.toNanos());
    }

    /** Longer than anything here lasts. */
    public static TimeLimit none() {
        return in(A_DAY);
    }

    boolean isOver() {
        return Clock.SYSTEM.nanoTime() - nanos >= 0;
    }
}
