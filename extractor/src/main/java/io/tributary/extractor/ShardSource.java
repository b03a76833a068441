package io.tributary.extractor;

import io.tributary.common.value.Cut.ShardCut;

/**
 * One shard to extract from.
 *
 * @param index its place among the shards, 0 up
 * @param config where it is
 * @param from where to go on; for a new stream {@link ShardFacts#firstCut}
 */
public record ShardSource(int index, ShardConfig config, ShardCut from) {
    /** The shard's name in the configuration. */
    public String name() {
        return from.name();
    }
}
