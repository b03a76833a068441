package io.tributary.seed.verify;

import io.tributary.common.value.TableName;

/** Gets the progress and the results. Several threads call it at the same time. */
public interface VerifyListener {
    /** A chunk was compared or, for a sample, left out. */
    void chunk(TableName table, long rows);

    /** A difference was confirmed. */
    void found(Finding finding);

    /** A statement that repairs the replica was made, or run. */
    default void repaired(TableName table, String statement) {}

    /** A table is complete. */
    default void ended(TableResult table) {}
}
