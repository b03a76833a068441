package io.tributary.seed.verify;

import io.tributary.common.value.TableName;
import java.util.List;

/** Gets the progress and the results. Several threads call it at the same time. */
public interface VerifyListener {
    /** A chunk was compared or, for a sample, left out. */
    void chunk(TableName table, long rows);

    /** A difference was confirmed, or a row could not be compared: see {@link Finding#isDifference}. */
    void found(Finding finding);

    /**
     * Statements that repair some rows of the replica were made, or run.
     *
     * @param settings the statements that prepare their session
     */
    default void repaired(TableName table, List<String> settings, List<String> statements) {}

    /** A table is complete. */
    default void ended(TableResult table) {}
}
