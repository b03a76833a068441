package io.tributary.mysql.protocol.client;

import io.tributary.mysql.protocol.ResultColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The answer to a statement: a result set, or an OK with no columns and no rows.
 *
 * @param columns the columns' names (aliases)
 * @param types the types of their values
 * @param affectedRows 0 for a result set
 * @param warnings the number of warnings
 */
public record QueryResult(
        List<String> columns, List<ResultColumnType> types, List<Row> rows, long affectedRows, int warnings) {
    public QueryResult {
        columns = List.copyOf(columns);
        types = List.copyOf(types);
        rows = List.copyOf(rows);
    }

    /** Whether there is no row. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** A value as text, or null for NULL; the column's name is case-insensitive. */
    public String text(int row, String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).equalsIgnoreCase(column)) {
                return rows.get(row).text(i);
            }
        }
        throw new IllegalArgumentException("expected one of the columns " + columns + ", found " + column);
    }

    /** One row of values as the server sent them, each the text form of its type. */
    public static final class Row {
        private final byte[][] values;

        Row(byte[][] values) {
            this.values = values;
        }

        /** The value's bytes, not copied, or null for NULL. */
        public byte[] bytes(int column) {
            return values[column];
        }

        /** The value as text in UTF-8, or null for NULL. */
        public String text(int column) {
            byte[] value = values[column];
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }
    }
}
