package io.tributary.seed.table;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.ForeignKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables that cannot be copied while they change: those without a row key, whose rows cannot be overwritten; and those with a foreign key that
 * changes rows by itself (CASCADE, SET NULL), with the tables that it references, because these changes are not in the binlog.
 */
public final class ExactTables {
    private static final Set<String> PASSIVE = Set.of("NO ACTION", "RESTRICT");

    private ExactTables() {}

    /**
     * Adds to a set of tables those that must be copied together with them: a foreign key that changes rows by itself connects them, directly or over
     * others.
     */
    public static Set<TableName> withConnected(List<LogicalTable> tables, Set<TableName> some) {
        Set<TableName> all = new HashSet<>(some);
        int before = -1;
        while (before != all.size()) {
            before = all.size();
            for (LogicalTable table : tables) {
                for (ForeignKey key : table.definition().foreignKeys()) {
                    if (isActive(key) && (all.contains(table.name()) || all.contains(key.referenced()))) {
                        all.add(table.name());
                        all.add(key.referenced());
                    }
                }
            }
        }
        return all;
    }

    private static boolean isActive(ForeignKey key) {
        return !PASSIVE.contains(key.onDelete()) || !PASSIVE.contains(key.onUpdate());
    }

    /** Those of these tables. */
    public static Set<TableName> of(List<LogicalTable> tables) {
        Set<TableName> exact = new HashSet<>();
        for (LogicalTable table : tables) {
            if (table.key().isEmpty()) {
                exact.add(table.name());
            }
            for (ForeignKey key : table.definition().foreignKeys()) {
                if (isActive(key)) {
                    exact.add(table.name());
                    exact.add(key.referenced());
                }
            }
        }
        return exact;
    }
}
