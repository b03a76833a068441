package io.tributary.collector;

/** What happens to rows of a table that has other columns in the output. */
public enum MixedRows {
    /** They are turned into what the schema change makes of them; where that cannot be done, their shard is held. */
    RESHAPE,
    /** Their shard is held, with an error that names them. */
    REFUSE,
    /** They are written as they are, with a warning. */
    PASS
}
