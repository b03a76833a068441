package io.tributary.extractor.stream;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policy for a lost connection: when it is opened again, and which failures are final. It logs once for each loss. */
final class ReconnectPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectPolicy.class);

    private final ShardConfig shard;
    private final Clock clock;
    private final Backoff pause;
    private long dueAt;
    private boolean hasStreamed;
    private boolean isLost;
    private volatile String held = "";

    ReconnectPolicy(ShardConfig shard, Duration min, Duration max, Clock clock) {
        this.shard = shard;
        this.clock = clock;
        this.pause = new Backoff(min, max);
        this.dueAt = clock.nanoTime();
    }

    /** Whether the pause before the next attempt is over. */
    boolean isDue() {
        return untilDueNanos() == 0;
    }

    /** The rest of that pause, ns; 0 after its end. */
    long untilDueNanos() {
        return Math.max(0, dueAt - clock.nanoTime());
    }

    /**
     * Handles the loss of the connection, or a failed attempt to open it. If the shard has been read before and an operator has to correct
     * something there, the shard is held: the connection is retried until it is corrected.
     *
     * @throws TributaryException the failure, if another connection does not help
     */
    void after(TributaryException failure) {
        TributaryException finalFailure = ShardErrors.orElsewhere(failure, shard);
        boolean isHeld =
                hasStreamed && finalFailure == failure && failure.code().holdsShard();
        if (!isHeld && !ShardErrors.mayPass(failure, shard, isLost)) {
            throw finalFailure;
        }
        dueAt = clock.nanoTime() + pause.nextNanos();
        if (isHeld && held.isEmpty()) {
            LOG.error(
                    "shard held: reason=\"{}\" action=\"correct this at the shard; it is retried automatically\"",
                    failure.line());
        } else if (!isLost && !isHeld) {
            LOG.warn("connection to shard lost, connecting until it succeeds: reason=\"{}\"", failure.getMessage());
        }
        isLost = true;
        held = isHeld ? failure.line() : "";
    }

    /** Why the shard is held, "" if it is not; any thread. */
    String held() {
        return held;
    }

    /** Records that events arrive by the connection. */
    void succeeded() {
        hasStreamed = true;
        if (isLost) {
            isLost = false;
            held = "";
            pause.reset();
        }
    }
}
