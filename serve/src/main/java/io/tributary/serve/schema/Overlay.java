package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.serve.sql.SqlRefusal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Rows of tables of information_schema that are made from definitions and replace the shard's rows.
 *
 * @param differing tables that the shard has with another definition: all rows for them are replaced
 * @param missing tables that the shard does not have
 * @param schemas tables that represent the schemas that the shard does not have, one for each
 */
record Overlay(List<TableDefinition> differing, List<TableDefinition> missing, List<TableDefinition> schemas) {
    /** No replacement. */
    static final Overlay NONE = new Overlay(List.of(), List.of(), List.of());

    private static final int MAX_ROWS = 5_000;

    boolean isEmpty() {
        return differing.isEmpty() && missing.isEmpty();
    }

    /**
     * The FROM operand that replaces a table of information_schema.
     *
     * @param view name of the table in upper case
     * @param live the FROM operand without replacement
     * @param columns all columns of the table, in their order
     */
    String over(String view, String live, List<String> columns) {
        if (isEmpty() || !TableRows.VIEWS.contains(view)) {
            return live;
        }
        Map<TableName, TableDefinition> made = new LinkedHashMap<>();
        boolean isList = view.equals("TABLES");
        if (!isList && !view.equals("SCHEMATA")) {
            differing.forEach(table -> made.put(table.name(), table));
        }
        (view.equals("SCHEMATA") ? schemas : missing).forEach(table -> made.put(table.name(), table));
        List<Map<String, Object>> rows = made.values().stream()
                .flatMap(table -> new TableRows(table).of(view).stream())
                .toList();
        if (rows.size() > MAX_ROWS) {
            throw SqlRefusal.unsupported("more than " + MAX_ROWS + " rows of information_schema." + view
                    + " differ from those of the shard: name tables, or use SHOW TRIBUTARY SCHEMA");
        }
        String replaced = isList || view.equals("SCHEMATA") ? "" : without(differing);
        String literal = rows.stream()
                .map(row -> " UNION ALL SELECT " + values(row, columns))
                .collect(Collectors.joining());
        return "(SELECT * FROM " + live + " o" + replaced + literal + ")";
    }

    private static String without(Collection<TableDefinition> tables) {
        return tables.isEmpty()
                ? ""
                : tables.stream()
                        .map(table -> "(" + same("o.TABLE_SCHEMA", table.name().schema()) + " AND "
                                + same("o.TABLE_NAME", table.name().table()) + ")")
                        .collect(Collectors.joining(" OR ", " WHERE NOT (", ")"));
    }

    private static String same(String column, String name) {
        return "CONVERT(" + column + " USING utf8mb4) COLLATE utf8mb4_bin = _utf8mb4" + SqlText.literal(name)
                + " COLLATE utf8mb4_bin";
    }

    private static String values(Map<String, Object> row, List<String> columns) {
        return columns.stream().map(column -> value(row.get(column))).collect(Collectors.joining(", "));
    }

    private static String value(Object value) {
        if (value == null) {
            return "NULL";
        }
        return value instanceof Long number ? number.toString() : SqlText.literal(value.toString());
    }
}
