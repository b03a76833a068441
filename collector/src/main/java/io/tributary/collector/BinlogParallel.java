package io.tributary.collector;

/** What the output's logical clock allows replicas to replay in parallel. */
public enum BinlogParallel {
    /** What each shard allows, and different shards. */
    SHARDS,
    /** Nothing. */
    NONE
}
