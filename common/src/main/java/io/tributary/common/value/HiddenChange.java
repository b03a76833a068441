package io.tributary.common.value;

import java.util.List;

/**
 * What a statement does to tables of online schema change tools on its shard.
 *
 * @param tables what is known from here on of those that it changed, each once; the result, so that it may be applied twice
 * @param renames what its renames come to, together
 */
public record HiddenChange(List<HiddenTable> tables, List<Rename> renames) implements DdlOrQuestion {
    /** It does nothing to such tables. */
    public static final HiddenChange NONE = new HiddenChange(List.of(), List.of());

    public HiddenChange {
        tables = List.copyOf(tables);
        renames = List.copyOf(renames);
    }

    /** Whether it does nothing to such tables. */
    public boolean isEmpty() {
        return tables.isEmpty() && renames.isEmpty();
    }

    /** What a rename is. */
    public enum Kind {
        /** A table gets a hidden name. */
        MOVES_AWAY,
        /** A hidden table takes the place of a table; the statement says what changes with it. */
        TAKES_PLACE,
        /** The same where nobody knows what altered the hidden table: the difference of the two definitions says what changes. */
        TAKES_PLACE_UNKNOWN,
        /** A hidden table gets another hidden name. */
        STAYS_HIDDEN
    }

    /**
     * One table's old and new name, both physical.
     *
     * @param logical the name in the output of the table that is not hidden; of STAYS_HIDDEN the same as {@code from}
     */
    public record Rename(Kind kind, TableName from, TableName to, TableName logical) {}

    /** The hidden table that takes the place of a table and whose statements are not known; null where there is none. */
    public Rename unknownSwap() {
        for (Rename each : renames) {
            if (each.kind() == Kind.TAKES_PLACE_UNKNOWN) {
                return each;
            }
        }
        return null;
    }
}
