package io.tributary.collector.rows;

import java.util.Map;

/**
 * What to do with rows whose columns do not match the shape in force.
 *
 * @param byDefault for tables that are not named
 * @param byTable for logical tables by {@code schema.table}
 */
public record DdlRows(MixedRows byDefault, Map<String, MixedRows> byTable) {
    public DdlRows {
        byTable = Map.copyOf(byTable);
    }

    boolean passes(String schema, String table) {
        return of(schema, table) == MixedRows.PASS;
    }

    boolean reshapes(String schema, String table) {
        return of(schema, table) == MixedRows.RESHAPE;
    }

    private MixedRows of(String schema, String table) {
        return byTable.getOrDefault(schema + "." + table, byDefault);
    }
}
