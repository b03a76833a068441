package io.tributary.seed.replay;

import io.tributary.common.value.TableName;
import io.tributary.replay.stream.RowTreatment;

/** Which tables are replayed, and how. Called by one thread for each table of each transaction, so an answer must be cheap. */
@FunctionalInterface
public interface ReplayScope {
    /**
     * The treatment of a table in a transaction. It must know every table that the stream has from the first replayed transaction on: a table
     * that is neither copied nor passed over is on the target in the definition that the stream has there.
     *
     * <p>A table with foreign keys that change rows by themselves (CASCADE, SET NULL), and a table without a key, cannot be copied at any time:
     * such a table is passed over up to a transaction at which its copy is exact, and plain after it.
     *
     * @param table a logical table, or view or program; with an empty table name: the statements about the schema itself
     * @param transaction the number of the transaction in the stream
     */
    RowTreatment of(TableName table, long transaction);
}
