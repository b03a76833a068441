package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.seed.replay.ReplayScope;
import io.tributary.seed.replica.TargetProgress.Copying;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How the tables of the stream are replayed in one round.
 *
 * @param isSeeded whether a table is seeded at all
 * @param copied the tables that are copied in this round
 * @param absent the tables of the stream that the target does not have: they are passed over, and copied in a later round if they still exist
 */
record StreamScope(Predicate<TableName> isSeeded, Map<TableName, Copying> copied, Set<TableName> absent)
        implements ReplayScope {
    @Override
    public RowTreatment of(TableName table, long transaction) {
        if (absent.contains(table) || !isSeeded.test(table)) {
            return RowTreatment.PASS_OVER;
        }
        Copying how = copied.get(table);
        if (how == null) {
            return RowTreatment.PLAIN;
        }
        if (transaction <= how.after().orElse(Long.MAX_VALUE)) {
            return RowTreatment.PASS_OVER;
        }
        return how.overwrites() ? RowTreatment.OVERWRITE : RowTreatment.PLAIN;
    }
}
