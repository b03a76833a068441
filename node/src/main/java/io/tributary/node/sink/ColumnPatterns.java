package io.tributary.node.sink;

import io.tributary.common.value.TableName;
import io.tributary.serve.filter.TableFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * Patterns of columns, such as {@code shop.users.password, *.*.secret_*}: {@code *} matches any characters, {@code ?} one character; case-insensitive.
 *
 * @param patterns at least one
 */
record ColumnPatterns(List<Pattern> patterns) {
    ColumnPatterns {
        patterns = List.copyOf(patterns);
    }

    /**
     * A pattern.
     *
     * @param tables one pattern of tables
     * @param columns a filter of "tables" of one schema, whose names are those of columns
     */
    record Pattern(TableFilter tables, TableFilter columns) {}

    /**
     * Reads patterns.
     *
     * @param key of the configuration, for messages
     * @throws IllegalArgumentException naming the key and the invalid pattern
     */
    static ColumnPatterns parse(String key, String text) {
        List<Pattern> patterns = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] names = part.strip().split("\\.", -1);
            if (names.length != 3
                    || part.contains("!")
                    || names[0].isEmpty()
                    || names[1].isEmpty()
                    || names[2].isEmpty()) {
                throw new IllegalArgumentException(
                        key + ": expected a pattern such as schema.table.column, found '" + part.strip() + "'");
            }
            patterns.add(new Pattern(TableFilter.parse(names[0] + "." + names[1]), TableFilter.parse("c." + names[2])));
        }
        return new ColumnPatterns(patterns);
    }

    boolean matches(TableName table, String column) {
        for (Pattern pattern : patterns) {
            if (pattern.tables.reads(table.schema(), table.table()) && pattern.columns.reads("c", column)) {
                return true;
            }
        }
        return false;
    }
}
