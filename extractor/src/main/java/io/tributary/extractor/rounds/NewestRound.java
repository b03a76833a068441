package io.tributary.extractor.rounds;

import io.tributary.common.value.Cut;

/**
 * The newest heartbeat round that is known when a node begins to write rounds.
 *
 * @param epoch the newest epoch; 0 for a new stream
 * @param number the newest round of any shard; 0 for a new stream
 */
public record NewestRound(long epoch, long number) {
    /** No round was written before. */
    public static final NewestRound NONE = new NewestRound(0, 0);

    /** The newest round in the cut from which the node continues. */
    public static NewestRound of(Cut cut) {
        return new NewestRound(
                cut.epoch(),
                cut.shards().stream().mapToLong(Cut.ShardCut::round).max().orElse(0));
    }
}
