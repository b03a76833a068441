package io.tributary.serve.schema;

import io.tributary.serve.filter.TableFilter;
import java.util.List;
import java.util.stream.Collectors;

/** Translates a reader's filter to a condition on rows of information_schema with exactly the meaning of {@link TableFilter}. */
final class FilterSql {
    private static final String ESCAPE = "|";

    private FilterSql() {}

    /**
     * The text to append to another condition; empty when everything may be read.
     *
     * @param ofTables whether the rows have a TABLE_NAME; else they are schemas with at least one readable table
     */
    static String and(TableFilter reads, String schemaColumn, boolean ofTables) {
        return and(reads, schemaColumn, ofTables ? "TABLE_NAME" : null);
    }

    /** As {@link #and}, for the table to which a foreign key refers, if a row has one. */
    static String andReferred(TableFilter reads) {
        return reads.isAll()
                ? ""
                : " AND (REFERENCED_TABLE_NAME IS NULL OR (1"
                        + and(reads, "REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME") + "))";
    }

    private static String and(TableFilter reads, String schemaColumn, String tableColumn) {
        boolean ofTables = tableColumn != null;
        List<TableFilter.Rule> excluded = reads.excluded().stream()
                .filter(rule -> ofTables || rule.isOfSchema())
                .toList();
        return (reads.included().isEmpty() ? "" : " AND (" + any(reads.included(), schemaColumn, tableColumn) + ")")
                + (excluded.isEmpty() ? "" : " AND NOT (" + any(excluded, schemaColumn, tableColumn) + ")");
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
