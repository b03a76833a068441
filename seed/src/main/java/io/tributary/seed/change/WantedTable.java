package io.tributary.seed.change;

import io.tributary.schema.definition.Column;
import io.tributary.seed.verify.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of one table whose last changes are searched. For one thread. */
final class WantedTable {
    private final Map<List<String>, WantedRow> byKey = new HashMap<>();
    private final List<WantedRow> all = new ArrayList<>();
    private final List<WantedRow> whole = new ArrayList<>();
    private final List<String> columns;
    private List<Column> key = List.of();

    /** @param columns the names of its columns now, in order */
    WantedTable(List<String> columns) {
        this.columns = List.copyOf(columns);
    }

    /** The names of its columns now, in order. */
    List<String> columns() {
        return columns;
    }

    WantedRow add(Finding finding) {
        WantedRow added = new WantedRow(finding);
        all.add(added);
        finding.row()
                .ifPresentOrElse(
                        row -> {
                            key = row.columns();
                            byKey.put(row.values(), added);
                        },
                        () -> whole.add(added));
        return added;
    }

    /** The columns of the key; empty if only the table as a whole is searched. */
    List<Column> key() {
        return key;
    }

    /** Whether one of its rows is not found yet. */
    boolean isWanted() {
        return all.stream().anyMatch(row -> !row.isFound());
    }

    /** The row with this key, null if it is not searched. */
    WantedRow row(List<String> values) {
        return byKey.get(values);
    }

    /** The findings about the table as a whole. */
    List<WantedRow> whole() {
        return whole;
    }

    /** All findings of the table. */
    List<WantedRow> all() {
        return all;
    }
}
