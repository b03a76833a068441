package io.tributary.common.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects jumps of the machine's date while the process runs, for example because of a bad time server: deletion by age then waits, because
 * deleted files cannot be restored. A new date is accepted after it has stayed for a day, so a machine that was suspended needs no operator.
 * Any thread.
 */
public final class DateWatch {
    /** The largest difference that is no jump, far more than a normal correction of a clock. */
    static final Duration MOST = Duration.ofHours(1);

    static final Duration ACCEPTED_AFTER = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(DateWatch.class);

    private final Clock clock;
    private long accepted; // the accepted date less nanoTime, µs
    private long other; // the same, after a jump
    private long jumpedNanos;
    private boolean hasJumped;

    /** Accepts the current date. */
    public DateWatch(Clock clock) {
        this.clock = clock;
        this.accepted = offset();
    }

    /** Whether the date is unreliable now; reads the clocks each time. */
    public synchronized boolean hasJumped() {
        long now = offset();
        if (isNear(now, accepted)) {
            if (hasJumped) {
                LOG.info("date restored: effect=\"files are deleted by age again\"");
            }
            hasJumped = false;
        } else if (!hasJumped || !isNear(now, other)) {
            hasJumped = true;
            other = now;
            jumpedNanos = clock.nanoTime();
            LOG.error(
                    "date jumped: seconds={} effect=\"no file is deleted by age (binlog.purge.age, backup.retain.age)\""
                            + " action=\"correct the date; otherwise it is accepted after {} h or when this node is"
                            + " started again\"",
                    TimeUnit.MICROSECONDS.toSeconds(now - accepted),
                    ACCEPTED_AFTER.toHours());
        } else if (clock.nanoTime() - jumpedNanos >= ACCEPTED_AFTER.toNanos()) {
            LOG.info("new date accepted: hours={} effect=\"files are deleted by age again\"", ACCEPTED_AFTER.toHours());
            accepted = now;
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
