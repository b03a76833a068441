package io.tributary.schema.definition;

import java.util.List;

/**
 * The constraints of a table, without its keys.
 *
 * @param foreignKeys in the order of their creation
 * @param checks in the order of their creation
 */
public record TableConstraints(List<ForeignKey> foreignKeys, List<Check> checks) {
    /** No constraints. */
    public static final TableConstraints NONE = new TableConstraints(List.of(), List.of());

    public TableConstraints {
        foreignKeys = List.copyOf(foreignKeys);
        checks = List.copyOf(checks);
    }
}
