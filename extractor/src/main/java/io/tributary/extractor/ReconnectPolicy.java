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
    private boolean hasStreamed;
    private boolean isLost;
    private volatile String held = "";

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
     * The connection is lost, or was not made. Once the shard has been read, what an operator has to correct there holds it: it is tried again
     * until it is corrected.
     *
     * @throws TributaryException the failure, where a connection made again does not mend it
     */
    void after(TributaryException failure) {
        TributaryException judged = ShardErrors.orElsewhere(failure, shard);
        boolean isHeld = hasStreamed && judged == failure && failure.code().holdsShard();
        if (!isHeld && !ShardErrors.mayPass(failure, shard, isLost)) {
            throw judged;
        }
        dueAt = clock.nanoTime() + pause.next();
        if (isHeld && held.isEmpty()) {
            LOG.error("{} | the shard is held until this is corrected; tries again by itself", failure.line());
        } else if (!isLost && !isHeld) {
            LOG.warn("{}; connects again until it succeeds", failure.getMessage());
        }
        isLost = true;
        held = isHeld ? failure.line() : "";
    }

    /** Why the shard is held, "" where it is not; any thread. */
    String held() {
        return held;
    }

    /** The connection brings events. */
    void succeeded() {
        hasStreamed = true;
        if (isLost) {
            isLost = false;
            held = "";
            pause.reset();
        }
    }
}
