package io.tributary.collector.rows;

/** What to do with rows of a table that has other columns in the output. */
public enum MixedRows {
    /** They are converted as the schema change does; if that is not possible, their shard is held. */
    RESHAPE,
    /** Their shard is held, with an error that names the rows. */
    REFUSE,
    /** They are written as they are, with a warning. */
    PASS
}
