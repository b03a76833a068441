package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.store.PayloadStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Ends the pipeline when the store is full for ever: shards are not read on until payload is released, and payload is released only by
 * what these shards would say next. That is so when everything in order has been sent, nothing more has come into order for a while,
 * and all shards have answered rounds meanwhile, so that none of them is merely away.
 */
final class StoreWatch implements Stage {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
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
     * @param isDrained whether all that is in order has been sent, and no shard waits for an operator, who may end that at any time
     * @param emitted transactions in order so far
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

    /** @throws TributaryException STORE_FULL when the store is full for ever */
    @Override
    public int doWork() {
        if (store.waiting() == 0 || !isDrained.getAsBoolean()) {
            suspects = false;
        } else if (!suspects || emitted.getAsLong() != emittedThen) {
            suspectFromHere();
        } else if (clock.nanoTime() - since > PATIENCE.toNanos()) {
            if (rounds.getAsLong() >= roundThen + LEAST_ROUNDS) {
                throw new TributaryException(
                        ErrorCode.STORE_FULL,
                        "expected the order to release payload within " + PATIENCE.toSeconds()
                                + " s, it waits for what cannot be read any more: " + store.state()
                                + ". Decide transactions in doubt on the shards that hold others back, or raise the limit;"
                                + " nothing is lost, the node resumes from its last cut");
            }
            suspectFromHere(); // a shard is away: it may bring what is missing
        }
        return 0;
    }

    private void suspectFromHere() {
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
