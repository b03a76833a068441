package io.tributary.seed.copy;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that read and write the rows of a table.
 *
 * @param table the table
 * @param columns of the rows that are read and written
 * @param key the columns of the row key; empty if there is none
 * @param keyIndexes where the key's values are in a row that is read; those after the columns are read for the key only
 * @param descending for each column of the key, whether the index is descending
 */
record CopyPlan(
        LogicalTable table,
        List<ColumnForm> columns,
        List<ColumnForm> key,
        List<Integer> keyIndexes,
        List<Boolean> descending) {
    static CopyPlan of(LogicalTable table) {
        List<ColumnForm> columns = table.written().stream().map(ColumnForm::of).toList();
        List<ColumnForm> key = table.key().stream().map(ColumnForm::of).toList();
        List<Integer> indexes = new ArrayList<>();
        int next = columns.size();
        for (ColumnForm part : key) {
            int index = columns.indexOf(part);
            indexes.add(index < 0 ? next++ : index);
        }
        List<Boolean> descending = table.definition().rowKey().map(TableKey::parts).orElse(List.of()).stream()
                .map(KeyPart::descending)
                .toList();
        return new CopyPlan(table, columns, key, indexes, descending);
    }

    TableName name() {
        return table.name();
    }

    /** The first column of the key. */
    Column firstOfKey() {
        return table.key().get(0);
    }

    /** The number of values in a row that is read. */
    int width() {
        return columns.size()
                + (int) keyIndexes.stream()
                        .filter(index -> index >= columns.size())
                        .count();
    }

    /** SELECT of all rows of a member, without WHERE. */
    String select(TableName physical) {
        List<String> selected =
                new ArrayList<>(columns.stream().map(ColumnForm::selected).toList());
        for (int i = 0; i < key.size(); i++) {
            if (keyIndexes.get(i) >= columns.size()) {
                selected.add(key.get(i).selected());
            }
        }
        return "SELECT " + String.join(", ", selected) + " FROM " + SqlNames.name(physical) + " " + ColumnForm.ALIAS;
    }

    /** ORDER BY the key in the index's order. */
    String order() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            parts.add(ColumnForm.ALIAS + "." + SqlNames.name(key.get(i).column()) + (descending.get(i) ? " DESC" : ""));
        }
        return " ORDER BY " + String.join(", ", parts);
    }

    /** The condition of rows behind a key in the index's order: {@code (a > x) OR (a = x AND b > y)}. */
    String behind(List<String> literals) {
        StringBuilder text = new StringBuilder("(");
        StringBuilder equal = new StringBuilder();
        for (int i = 0; i < key.size(); i++) {
            ColumnForm part = key.get(i);
            text.append(i == 0 ? "(" : " OR (")
                    .append(equal)
                    .append(part.behind(literals.get(i), descending.get(i)))
                    .append(')');
            equal.append(part.equal(literals.get(i))).append(" AND ");
        }
        return text.append(')').toString();
    }

    /** The beginning of a statement that writes rows, up to the first row. */
    String write(String verb) {
        return verb + " INTO " + SqlNames.name(name())
                + columns.stream()
                        .map(column -> SqlNames.name(column.column()))
                        .collect(Collectors.joining(",", " (", ") VALUES "));
    }
}
