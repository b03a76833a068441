package io.tributary.serve.select;

import io.tributary.schema.sql.SqlNames;

/**
 * A column of ORDER BY.
 *
 * @param isDescending whether larger values are first
 */
record SortKey(String column, boolean isDescending) {
    String sql() {
        return SqlNames.name(column) + (isDescending ? " DESC" : "");
    }
}
