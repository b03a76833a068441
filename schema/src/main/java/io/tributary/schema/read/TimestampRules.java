package io.tributary.schema.read;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The defaults of TIMESTAMP columns without a default if explicit_defaults_for_timestamp is off: the first one of a table gets the current time,
 * also for ON UPDATE, the others get the zero time (MySQL manual, "Automatic Initialization and Updating for TIMESTAMP and DATETIME").
 */
final class TimestampRules {
    private TimestampRules() {}

    /**
     * Completes the columns.
     *
     * @param old names of the columns that a statement does not change. Of them only the first TIMESTAMP of the table changes; whether it
     *     gets ON UPDATE depends on why it has no default, which the definition does not show, so the statement is not read then
     */
    static List<Column> apply(List<Column> columns, Set<String> old, ReadSession session) {
        if (session.explicitDefaultsForTimestamp()) {
            return columns;
        }
        List<Column> made = new ArrayList<>();
        boolean first = true;
        for (Column column : columns) {
            boolean timestamp = column.type().name().equals("timestamp");
            boolean open = timestamp
                    && !column.nullable()
                    && column.generation().isEmpty()
                    && column.defaultValue() instanceof Default.None;
            boolean untouched = old.contains(column.name());
            if (open && untouched && first && column.onUpdate().isEmpty()) {
                throw new UnreadableStatementException(
                        "an old TIMESTAMP without a default, to which an alteration may add ON UPDATE");
            }
            made.add(open && !untouched ? completed(column, first) : column);
            first &= !timestamp;
        }
        return made;
    }

    private static Column completed(Column column, boolean first) {
        int digits = column.type().decimals();
        if (first && column.onUpdate().isEmpty()) {
            String now = digits == 0 ? "CURRENT_TIMESTAMP" : "CURRENT_TIMESTAMP(" + digits + ")";
            return new Column(
                    column.name(),
                    column.type(),
                    false,
                    new Default.Expression(now),
                    column.generation(),
                    false,
                    now,
                    column.visible());
        }
        return column.withDefault(zero(column.type()));
    }

    /** The zero time of a TIMESTAMP or DATETIME: in MariaDB the default of each that is NOT NULL and has only ON UPDATE. */
    static Default zero(SqlType type) {
        int digits = type.decimals();
        return new Default.Literal("0000-00-00 00:00:00" + (digits == 0 ? "" : "." + "0".repeat(digits)));
    }
}
