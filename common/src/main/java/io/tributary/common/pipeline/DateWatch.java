package io.tributary.common.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the machine's date jumps while the process runs, as a bad time server makes it: what deletes by age waits then, for what it
 * deletes does not come back. A new date is believed once it has stood for a day: a machine that had slept needs no hand. Any thread.
 */
public final class DateWatch {
    /** What a date may be off by, far more than clocks are set by in good order. */
    static final Duration MOST = Duration.ofHours(1);

    static final Duration BELIEVED_AFTER = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(DateWatch.class);

    private final Clock clock;
    private long believed; // date less nanoTime, µs
    private long other; // the same, after a jump
    private long jumpedNanos;
    private boolean hasJumped;

    /** Believes the date as it is now. */
    public DateWatch(Clock clock) {
        this.clock = clock;
        this.believed = offset();
    }

    /** Whether the date is not to be relied on now; looks at the clocks each time. */
    public synchronized boolean hasJumped() {
        long now = offset();
        if (isNear(now, believed)) {
            if (hasJumped) {
                LOG.info("the machine's date is back: files are deleted by age again");
            }
            hasJumped = false;
        } else if (!hasJumped || !isNear(now, other)) {
            hasJumped = true;
            other = now;
            jumpedNanos = clock.nanoTime();
            LOG.error(
                    "the machine's date has jumped by {} s since this process began: nothing is deleted by age"
                            + " (binlog.purge.age, backup.retain.age) until it is back, has stood for {} h, or this node is"
                            + " started again",
                    TimeUnit.MICROSECONDS.toSeconds(now - believed),
                    BELIEVED_AFTER.toHours());
        } else if (clock.nanoTime() - jumpedNanos >= BELIEVED_AFTER.toNanos()) {
            LOG.info("the machine's date has stood for {} h: files are deleted by age again", BELIEVED_AFTER.toHours());
            believed = now;
            hasJumped = false;
        }
        return hasJumped;
    }

    private static boolean isNear(long offset, long other) {
        return Math.abs(offset - other) <= TimeUnit.NANOSECONDS.toMicros(MOST.toNanos());
    }

    private long offset() {
        return clock.epochMicros() - TimeUnit.NANOSECONDS.toMicros(clock.nanoTime());
    }
}
