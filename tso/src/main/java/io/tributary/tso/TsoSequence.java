package io.tributary.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A generator of timestamps that only grow: milliseconds of the clock, and a counter of 22 bits that overflows into them if a millisecond needs more.
 * A clock that goes back or stops has no effect, because the counter continues from the newest timestamp. All timestamps that a process handed out
 * before a crash are smaller than the high-water mark, and the next process starts there.
 *
 * <p>A clock that jumps ahead by more than {@code tso.clock.jump} against the machine's own monotonic clock is not followed: a timestamp cannot be
 * withdrawn, and a wrong one in the future would stay forever. At a start the clock is accepted if it is within a sane range of years.
 */
final class TsoSequence {
    static final int COUNTER_BITS = 22;

    private static final Logger LOG = LoggerFactory.getLogger(TsoSequence.class);
    private static final long EARLIEST_MILLIS =
            Instant.parse("2024-01-01T00:00:00Z").toEpochMilli();
    /** 2^63 timestamps end in 2039; the limit is a year earlier, so that the high-water mark can be ahead. */
    private static final long LATEST_MILLIS =
            Instant.parse("2038-09-01T00:00:00Z").toEpochMilli();

    private final HighWaterFile file;
    private final Clock clock;
    private final long ahead;
    private final long jumpMillis;
    private long next;
    private long anchorMillis;
    private long anchorNanos;
    private boolean isClockIgnored;

    /** @throws TributaryException TSO_CLOCK_UNUSABLE */
    TsoSequence(HighWaterFile file, Clock clock, Duration ahead, Duration clockJump) {
        this.file = file;
        this.clock = clock;
        this.ahead = ahead.toMillis() << COUNTER_BITS;
        this.jumpMillis = clockJump.toMillis();
        this.next = file.value();
        this.anchorMillis = wallMillis();
        this.anchorNanos = clock.nanoTime();
        requireSane(anchorMillis);
        long behind = (next >>> COUNTER_BITS) - anchorMillis;
        if (behind > ahead.toMillis()) {
            LOG.warn(
                    "clock is behind earlier timestamps: milliseconds={} effect=\"timestamps continue from the"
                            + " earlier ones until the clock catches up\"",
                    behind);
        }
    }

    private static void requireSane(long millis) {
        if (millis < EARLIEST_MILLIS || millis > LATEST_MILLIS) {
            throw new TributaryException(
                    ErrorCode.TSO_CLOCK_UNUSABLE,
                    "expected a clock between " + Instant.ofEpochMilli(EARLIEST_MILLIS) + " and "
                            + Instant.ofEpochMilli(LATEST_MILLIS) + ", found " + Instant.ofEpochMilli(millis));
        }
    }

    /**
     * Hands out a range.
     *
     * @param count 1 or more
     * @return its first timestamp, larger than every earlier range
     * @throws TributaryException IO_FAILED, TSO_CLOCK_UNUSABLE; nothing was handed out
     */
    long take(int count) {
        long first = Math.max(next, millis() << COUNTER_BITS);
        long end = first + count;
        if (end > file.value()) {
            requireSane(end >>> COUNTER_BITS);
            file.raise(end + ahead);
        }
        next = end;
        return first;
    }

    /** Milliseconds since 1970: the clock, or, if it has jumped ahead, the last accepted time plus the time since then. */
    private long millis() {
        long wall = wallMillis();
        long nanos = clock.nanoTime();
        long expected = anchorMillis + TimeUnit.NANOSECONDS.toMillis(nanos - anchorNanos);
        boolean jumped = wall - expected > jumpMillis;
        if (jumped != isClockIgnored) {
            isClockIgnored = jumped;
            if (jumped) {
                LOG.error(
                        "clock jumped ahead: milliseconds={} effect=\"it is not followed\" action=\"correct the"
                                + " clock, or restart the node to follow it\"",
                        wall - expected);
            } else {
                LOG.info("clock is followed again");
            }
        }
        if (jumped) {
            return expected;
        }
        anchorMillis = wall;
        anchorNanos = nanos;
        return wall;
    }

    private long wallMillis() {
        return TimeUnit.MICROSECONDS.toMillis(clock.epochMicros());
    }

    /** The smallest timestamp that has not been handed out. */
    long next() {
        return next;
    }

    /** Whether the clock has jumped ahead and is not followed. */
    boolean isClockIgnored() {
        return isClockIgnored;
    }
}
