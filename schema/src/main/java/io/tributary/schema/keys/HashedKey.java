package io.tributary.schema.keys;

import java.util.List;

/**
 * A unique key of a table, or the key of another table that a foreign key references.
 *
 * @param seed the hash of table and columns, with which the hashes of its values begin
 * @param columns of the table that has the rows
 * @param mode how a transaction with this key uses it
 * @param lock the key of the whole table that has the unique key, see {@link TableKeys#lock}
 */
public record HashedKey(long seed, List<HashedColumn> columns, Mode mode, long lock) {
    /** How a transaction uses a key. */
    public enum Mode {
        /** It changes the row with the key, and no other transaction shares the key. */
        CHANGED(0),
        /** It needs the row with the key; several transactions at the same time may need it. */
        SHARED(WriteSets.SHARED),
        /** It changes the row with the key, which others may need at the same time. */
        CHANGED_OF_MANY(WriteSets.HAS_SHARED);

        final long flags;

        Mode(long flags) {
            this.flags = flags;
        }
    }

    public HashedKey {
        columns = List.copyOf(columns);
    }

    /** Whether some values have no form; transactions with such a value use the key of the whole table. */
    public boolean mayBeUnhashable() {
        return columns.stream().anyMatch(column -> column.form() == KeyForm.FOLDED_TEXT);
    }
}
