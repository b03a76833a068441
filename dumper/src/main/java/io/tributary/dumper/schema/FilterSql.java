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
        List<TableFilter.Rule> left = reads.left().stream()
                .filter(rule -> ofTables || rule.isOfSchema())
                .toList();
        return (reads.read().isEmpty() ? "" : " AND (" + any(reads.read(), schemaColumn, ofTables) + ")")
                + (left.isEmpty() ? "" : " AND NOT (" + any(left, schemaColumn, ofTables) + ")");
    }

    private static String any(List<TableFilter.Rule> rules, String schemaColumn, boolean ofTables) {
        return rules.stream()
                .map(rule -> like(schemaColumn, rule.schema())
                        + (ofTables && !rule.isOfSchema() ? " AND " + like("TABLE_NAME", rule.table()) : ""))
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
