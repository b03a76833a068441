package io.tributary.changes;

import java.util.Map;

/**
 * A row that was read.
 *
 * @param before the values by column; null for an INSERT
 * @param after the values by column; null for a DELETE
 */
record ReadRow(ChangeTable table, Operation operation, Map<String, String> before, Map<String, String> after) {
    /** {@code INSERT d.t {id=1}}. */
    @Override
    public String toString() {
        return operation + " " + table.name() + (before == null ? "" : " " + before)
                + (after == null ? "" : " " + after);
    }
}
