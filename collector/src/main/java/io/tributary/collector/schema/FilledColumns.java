package io.tributary.collector.schema;

import io.tributary.common.value.TableName;
import io.tributary.schema.compare.AddedColumns;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.rows.ExpressionValue;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The columns in the output that an ALTER TABLE has filled with the time at which it was run, and that time. Rows of members that lack the column get
 * the same value. Stored in the journal, by table. For one thread.
 */
final class FilledColumns {
    private static final char END = '\0'; // is contained in no name
    private static final String PREFIX = "f" + END;

    private final SchemaJournal map;

    FilledColumns(SchemaJournal map) {
        this.map = map;
    }

    private static String key(TableName table) {
        return PREFIX + table.schema() + END + table.table() + END;
    }

    /** The time of the statement that added a column and filled it; empty for other columns. */
    Optional<OffsetDateTime> time(TableName table, String column) {
        return Optional.ofNullable(of(table).get(column.toLowerCase(Locale.ROOT)));
    }

    private Map<String, OffsetDateTime> of(TableName table) {
        Map<String, OffsetDateTime> filled = new HashMap<>();
        byte[] value = map.get(key(table));
        if (value != null) {
            String[] parts = new String(value, StandardCharsets.UTF_8).split(String.valueOf(END), -1);
            for (int i = 0; i + 1 < parts.length; i += 2) {
                filled.put(parts[i], OffsetDateTime.parse(parts[i + 1]));
            }
        }
        return filled;
    }

    private void put(TableName table, Map<String, OffsetDateTime> filled) {
        if (filled.isEmpty()) {
            map.remove(key(table));
            return;
        }
        StringBuilder text = new StringBuilder();
        filled.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> text.append(each.getKey())
                        .append(END)
                        .append(each.getValue())
                        .append(END));
        map.put(key(table), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A statement that changes a table is written.
     *
     * @param renames of its columns, from the old name, in lower case
     */
    void written(
            TableName table,
            TableDefinition before,
            TableDefinition after,
            Map<String, String> renames,
            OffsetDateTime time) {
        Map<String, OffsetDateTime> filled = new HashMap<>();
        of(table).forEach((column, then) -> {
            String name = renames.getOrDefault(column, column).toLowerCase(Locale.ROOT);
            if (after.column(name).isPresent()) {
                filled.put(name, then);
            }
        });
        for (Column column : AddedColumns.of(before, after, renames)) {
            if (column.defaultValue() instanceof Default.Expression expression
                    && ExpressionValue.isOfTime(expression.text())) {
                filled.put(column.name().toLowerCase(Locale.ROOT), time);
            }
        }
        put(table, filled);
    }

    /** The table has been renamed. */
    void renamed(TableName from, TableName to) {
        Map<String, OffsetDateTime> filled = of(from);
        map.remove(key(from));
        put(to, filled);
    }

    /** A table has been dropped, or a schema with all its tables (empty table). */
    void forget(TableName table) {
        List<String> keys = new ArrayList<>();
        map.forEach(
                table.table().isEmpty() ? PREFIX + table.schema() + END : key(table), (key, value) -> keys.add(key));
        keys.forEach(map::remove);
    }
}
