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
 * Timestamps that only grow: milliseconds of the clock, and a counter of 22 bits that runs over into them when a millisecond has more. A
 * clock that goes back or stands still does not matter, as the counter goes on from the newest timestamp. What a process handed out
 * before a crash lies below the high-water mark, and this one begins there.
 *
 * <p>A clock that jumps ahead by more than {@code tso.clock.jump} against the machine's own monotonic clock is not followed: a timestamp
 * cannot be taken back, and one from a wrong future would stay for ever. A start takes the clock as it is, within sane years.
 */
final class TsoSequence {
    static final int COUNTER_BITS = 22;

    private static final Logger LOG = LoggerFactory.getLogger(TsoSequence.class);
    private static final long EARLIEST_MILLIS =
            Instant.parse("2024-01-01T00:00:00Z").toEpochMilli();
    /** 2^63 timestamps end in 2039; a year before that nothing is left to go ahead. */
    private static final long LATEST_MILLIS =
            Instant.parse("2038-09-01T00:00:00Z").toEpochMilli();

    private final HighWaterFile file;
    private final Clock clock;
    private final long ahead;
    private final long jumpMillis;
    private long next;
    private long anchorMillis;
    private long anchorNanos;
    private boolean isAstray;

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
                    "the clock is {} ms behind the timestamps handed out before; they go on from there, the clock"
                            + " catches up",
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
     * @param count 1 up
     * @return its first timestamp, above every earlier range
     * @throws TributaryException IO_FAILED, TSO_CLOCK_UNUSABLE; nothing was handed out
     */
    long take(int count) {
        long first = Math.max(next, millis() << COUNTER_BITS);
        long behind = first + count;
        if (behind > file.value()) {
            requireSane(behind >>> COUNTER_BITS);
            file.raise(behind + ahead);
        }
        next = behind;
        return first;
    }

    /** Milliseconds since 1970: the clock, or where it has jumped ahead what has passed since it was last believed. */
    private long millis() {
        long wall = wallMillis();
        long nanos = clock.nanoTime();
        long expected = anchorMillis + TimeUnit.NANOSECONDS.toMillis(nanos - anchorNanos);
        boolean jumped = wall - expected > jumpMillis;
        if (jumped != isAstray) {
            isAstray = jumped;
            if (jumped) {
                LOG.error(
                        "the clock jumped ahead by {} ms and is not followed; set it right, or restart the node to"
                                + " follow it",
                        wall - expected);
            } else {
                LOG.info("the clock is followed again");
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
    boolean isAstray() {
        return isAstray;
    }
}
