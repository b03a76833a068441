package io.tributary.collector.rows;

import io.tributary.collector.schema.RowRule;
import io.tributary.common.value.TableName;

/**
 * What to do with the rows of one table map of a payload.
 *
 * @param isLeftOut whether they are left out
 * @param name the logical name under which they are written unchanged; null if they are reshaped or left out
 * @param reshape how they are rewritten, else null
 */
record TableChange(boolean isLeftOut, TableName name, Reshape reshape) {
    static TableChange of(RowRule rule) {
        return new TableChange(rule.isLeftOut(), rule.isLeftOut() ? null : rule.name(), null);
    }

    static TableChange of(Reshape reshape) {
        return new TableChange(false, null, reshape);
    }
}
