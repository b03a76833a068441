package io.tributary.extractor.rounds;

import io.tributary.extractor.ShardConfig;

/**
 * The server to which the rounds of one shard are written.
 *
 * @param shard the shard's name
 * @param config of that server
 */
record RoundTarget(String shard, ShardConfig config) {
    /** The server for the rounds of a shard with this configuration. */
    static RoundTarget of(String shard, ShardConfig config) {
        return new RoundTarget(shard, config.forRounds());
    }
}
