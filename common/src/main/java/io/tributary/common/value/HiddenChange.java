package io.tributary.common.value;

import java.util.List;

/**
 * The effect of a statement on tables of online schema change tools on its shard.
 *
 * @param tables the tables that it changed, each once, with what is known of them afterwards; applying it twice gives the same result
 * @param renames the combined effect of its renames
 */
public record HiddenChange(List<HiddenTable> tables, List<Rename> renames) {
    /** No effect on such tables. */
    public static final HiddenChange NONE = new HiddenChange(List.of(), List.of());

    public HiddenChange {
        tables = List.copyOf(tables);
        renames = List.copyOf(renames);
    }

    /** Whether it has no effect on such tables. */
    public boolean isEmpty() {
        return tables.isEmpty() && renames.isEmpty();
    }

    /** The kind of a rename. */
    public enum Kind {
        /** A table gets a hidden name. */
        MOVES_AWAY,
        /** A hidden table replaces a table; the statement describes the change. */
        TAKES_PLACE,
        /** The same if the statements that altered the hidden table are not known: the difference of the two definitions is the change. */
        TAKES_PLACE_UNKNOWN,
        /** A hidden table gets another hidden name. */
        STAYS_HIDDEN
    }

    /**
     * One table's old and new name, both physical.
     *
     * @param logical the name in the output of the table that is not hidden; for STAYS_HIDDEN the same as {@code from}
     */
    public record Rename(Kind kind, TableName from, TableName to, TableName logical) {}

    /** The rename by which a hidden table with unknown statements replaces a table; null if there is none. */
    public Rename unknownSwap() {
        for (Rename each : renames) {
            if (each.kind() == Kind.TAKES_PLACE_UNKNOWN) {
                return each;
            }
        }
        return null;
    }
}
