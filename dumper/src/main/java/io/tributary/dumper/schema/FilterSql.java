package io.tributary.dumper.schema;

import io.tributary.dumper.filter.TableFilter;
import java.util.List;
import java.util.stream.Collectors;

/** A reader's filter as a condition on rows of information_schema, letter by letter as {@link TableFilter} judges names. */
final class FilterSql {
    private static final String ESCAPE = "|";

    private FilterSql() {}

    /**
     * What is to stand behind another condition; nothing where all is read.
     *
     * @param ofTables whether the rows have a TABLE_NAME; else they are schemas, of which some table is read
     */
    static String and(TableFilter reads, String schemaColumn, boolean ofTables) {
        return and(reads, schemaColumn, ofTables ? "TABLE_NAME" : null);
    }

    /** As {@link #and}, of the table to which a foreign key refers, where a row is of one. */
    static String andReferred(TableFilter reads) {
        return reads.isAll()
                ? ""
                : " AND (REFERENCED_TABLE_NAME IS NULL OR (1"
                        + and(reads, "REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME") + "))";
    }

    private static String and(TableFilter reads, String schemaColumn, String tableColumn) {
        boolean ofTables = tableColumn != null;
        List<TableFilter.Rule> left = reads.left().stream()
                .filter(rule -> ofTables || rule.isOfSchema())
                .toList();
        return (reads.read().isEmpty() ? "" : " AND (" + any(reads.read(), schemaColumn, tableColumn) + ")")
                + (left.isEmpty() ? "" : " AND NOT (" + any(left, schemaColumn, tableColumn) + ")");
    }

    private static String any(List<TableFilter.Rule> rules, String schemaColumn, String tableColumn) {
        return rules.stream()
                .map(rule -> like(schemaColumn, rule.schema())
                        + (tableColumn != null && !rule.isOfSchema() ? " AND " + like(tableColumn, rule.table()) : ""))
                .collect(Collectors.joining(" OR "));
    }

    private static String like(String column, String pattern) {
        String escaped = pattern.replace(ESCAPE, ESCAPE + ESCAPE)
                .replace("%", ESCAPE + "%")
                .replace("_", ESCAPE + "_")
                .replace('*', '%')
                .replace('?', '_');
        return "LOWER(CONVERT(" + column + " USING utf8mb4)) COLLATE utf8mb4_bin LIKE _utf8mb4"
                + SqlText.literal(escaped) + " COLLATE utf8mb4_bin ESCAPE '" + ESCAPE + "'";
    }
}
