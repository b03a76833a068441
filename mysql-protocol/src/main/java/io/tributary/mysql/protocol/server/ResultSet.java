package io.tributary.mysql.protocol.server;

import io.tributary.mysql.protocol.ResultColumnType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A result set with which a {@link Session} answers. Created by one thread, not changed after it was passed to a session. */
public final class ResultSet {
    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private ResultSet(List<Column> columns) {
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("expected at least one column");
        }
        this.columns = List.copyOf(columns);
    }

    /** A result set of text columns, without rows yet. */
    public static ResultSet of(String... names) {
        return new ResultSet(Arrays.stream(names).map(Column::text).toList());
    }

    /** A result set of these columns, without rows yet. */
    public static ResultSet of(List<Column> columns) {
        return new ResultSet(columns);
    }

    /** Adds a row: one value per column, the text form of its type, null for NULL. */
    public ResultSet row(String... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(
                    "expected a row of " + columns.size() + " values, found " + values.length);
        }
        rows.add(Collections.unmodifiableList(Arrays.asList(values.clone())));
        return this;
    }

    /** The columns, in the order of the values of a row. */
    public List<Column> columns() {
        return columns;
    }

    /** A view of the rows so far: one value per column, null for NULL. */
    public List<List<String>> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** A column's name and type. */
    public record Column(String name, ResultColumnType type) {
        /** A column that is declared as VAR_STRING in utf8mb4. */
        public static Column text(String name) {
            return new Column(name, ResultColumnType.TEXT);
        }

        /** A column that is declared as LONGLONG. */
        public static Column integer(String name) {
            return new Column(name, ResultColumnType.INTEGER);
        }
    }
}
