package io.tributary.collector;

import java.util.Map;

/**
 * What happens to rows whose table has another shape than the one in force.
 *
 * @param byDefault to those of any table
 * @param byTable to those of single tables, by {@code schema.table} of the logical name
 */
public record DdlRows(DdlMixed byDefault, Map<String, DdlMixed> byTable) {
    public DdlRows {
        byTable = Map.copyOf(byTable);
    }
}
