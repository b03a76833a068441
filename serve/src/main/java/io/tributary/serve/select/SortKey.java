package io.tributary.serve.select;

import io.tributary.serve.schema.SqlText;

/**
 * A column of ORDER BY.
 *
 * @param isDescending whether larger values are first
 */
record SortKey(String column, boolean isDescending) {
    String sql() {
        return SqlText.name(column) + (isDescending ? " DESC" : "");
    }
}
