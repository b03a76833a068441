package io.tributary.collector;

/** What the output's logical clock allows replicas to apply in parallel. */
public enum BinlogParallel {
    /** Transactions that their shard allows in parallel, and transactions of different shards. */
    SHARDS,
    /** Transactions that change different keys, on whatever shards they are. */
    WRITESET,
    /** Nothing. */
    NONE
}
