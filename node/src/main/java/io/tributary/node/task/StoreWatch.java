package io.tributary.node.task;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.store.PayloadStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Ends the pipeline when the store is full permanently: shards are not read until payload is released, and payload is released only by events that
 * would be read next from these shards. This is the case when all ordered transactions are sent, no further transaction was ordered for 30 s, and
 * all shards have answered rounds meanwhile, so that none of them is only temporarily unreachable.
 */
final class StoreWatch implements Stage {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long LEAST_ROUNDS = 2;
    private static final long REST_NANOS = Duration.ofMillis(100).toNanos();

    private final PayloadStore store;
    private final BooleanSupplier isDrained;
    private final LongSupplier emitted;
    private final LongSupplier rounds;
    private final Clock clock;
    private boolean suspects;
    private long since;
    private long emittedThen;
    private long roundThen;

    /**
     * @param isDrained whether all ordered transactions are sent and no shard is held (an operator may release it at any time)
     * @param emitted number of ordered transactions so far
     * @param rounds the newest round that every shard has acknowledged
     */
    StoreWatch(PayloadStore store, BooleanSupplier isDrained, LongSupplier emitted, LongSupplier rounds, Clock clock) {
        this.store = store;
        this.isDrained = isDrained;
        this.emitted = emitted;
        this.rounds = rounds;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "store-watch";
    }

    /** @throws TributaryException STORE_FULL when the store is full permanently */
    @Override
    public int doWork() {
        if (store.waiting() == 0 || !isDrained.getAsBoolean()) {
            suspects = false;
        } else if (!suspects || emitted.getAsLong() != emittedThen) {
            startTimer();
        } else if (clock.nanoTime() - since > TIMEOUT.toNanos()) {
            if (rounds.getAsLong() >= roundThen + LEAST_ROUNDS) {
                throw new TributaryException(
                        ErrorCode.STORE_FULL,
                        "expected the order to release payload within " + TIMEOUT.toSeconds()
                                + " s, found that it waits for events that cannot be read any more: " + store.state()
                                + ". Decide transactions in doubt on the shards that delay others, or raise the limit;"
                                + " nothing is lost, the node resumes from its last cut");
            }
            startTimer(); // a shard is unreachable: it may send the missing events later
        }
        return 0;
    }

    private void startTimer() {
        suspects = true;
        since = clock.nanoTime();
        emittedThen = emitted.getAsLong();
        roundThen = rounds.getAsLong();
    }

    @Override
    public long restNanos() {
        return REST_NANOS;
    }

    @Override
    public void close() {}
}
