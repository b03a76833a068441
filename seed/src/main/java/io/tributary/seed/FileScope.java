package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.seed.replay.ReplayScope;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How the tables of the stream are replayed into a file: only rows of tables that were copied chunk by chunk, after the transactions that their chunks
 * contain.
 *
 * @param isSeeded whether a table is seeded at all; with an empty table name: a schema
 * @param after by table, the last transaction that all its chunks contain
 */
record FileScope(Predicate<TableName> isSeeded, Map<TableName, Long> after) implements ReplayScope {
    FileScope {
        after = Map.copyOf(after);
    }

    @Override
    public RowTreatment of(TableName table, long transaction) {
        if (table.table().isEmpty()) {
            return isSeeded.test(table) ? RowTreatment.PLAIN : RowTreatment.PASS_OVER;
        }
        Long contained = after.get(table);
        return contained == null || transaction <= contained ? RowTreatment.PASS_OVER : RowTreatment.OVERWRITE;
    }
}
