package io.tributary.extractor;

import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.TableName;
import java.util.Optional;

/**
 * A table in Tributary's schema on a shard into which the rows of corrections are inserted, so that the shard itself encodes them. Its name contains the
 * index of the corrected table in {@link Corrections#tables}.
 *
 * @param corrected the table whose rows it has
 * @param deletes whether its rows are deleted from the corrected table, not inserted
 */
public record CorrectionTable(TableName corrected, boolean deletes) {
    private static final String DELETES = "correction_delete_";
    private static final String WRITES = "correction_write_";

    /** The name for an index. */
    public static TableName name(int index, boolean deletes) {
        return new TableName(HeartbeatTable.SCHEMA, (deletes ? DELETES : WRITES) + index);
    }

    /** Whether a table was made for corrections, of this run or of an earlier one. */
    public static boolean isOne(TableName physical) {
        return physical.schema().equals(HeartbeatTable.SCHEMA)
                && (physical.table().startsWith(DELETES) || physical.table().startsWith(WRITES));
    }

    /** The table of this name; empty if these corrections have none. */
    public static Optional<CorrectionTable> find(Corrections corrections, TableName physical) {
        if (!isOne(physical)) {
            return Optional.empty();
        }
        for (int i = 0; i < corrections.tables().size(); i++) {
            TableName corrected = corrections.tables().get(i);
            if (physical.equals(name(i, true))) {
                return Optional.of(new CorrectionTable(corrected, true));
            }
            if (physical.equals(name(i, false))) {
                return Optional.of(new CorrectionTable(corrected, false));
            }
        }
        return Optional.empty();
    }
}
