package io.tributary.extractor;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When a lost connection is made again, and what losses are none that may pass. One log line for each time that it is lost. */
final class Reconnects {
    private static final Logger LOG = LoggerFactory.getLogger(Reconnects.class);

    private final ShardConfig shard;
    private final Clock clock;
    private final Pause pause;
    private long dueAt;
    private boolean isLost;

    Reconnects(ShardConfig shard, Duration min, Duration max, Clock clock) {
        this.shard = shard;
        this.clock = clock;
        this.pause = new Pause(min, max);
        this.dueAt = clock.nanoTime();
    }

    /** Whether the pause before the next attempt is over. */
    boolean areDue() {
        return untilDueNanos() == 0;
    }

    /** How long that pause still is, in nanoseconds; 0 once it is over. */
    long untilDueNanos() {
        return Math.max(0, dueAt - clock.nanoTime());
    }

    /**
     * The connection is lost, or was not made.
     *
     * @throws TributaryException the failure, where a connection made again does not mend it
     */
    void after(TributaryException failure) {
        if (!ShardErrors.mayPass(failure, shard, isLost)) {
            throw ShardErrors.orElsewhere(failure, shard);
        }
        dueAt = clock.nanoTime() + pause.next();
        if (!isLost) {
            isLost = true;
            LOG.warn("{}; connects again until it succeeds", failure.getMessage());
        }
    }

    /** The connection brings events. */
    void succeeded() {
        if (isLost) {
            isLost = false;
            pause.reset();
        }
    }
}
