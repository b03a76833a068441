package io.tributary.testkit.schema;

/**
 * A statement about the one table of a {@link SchemaModel}.
 *
 * @param text the statement for a server, for the table t
 * @param column the column that it changes; "" for none
 * @param other the new name of the column, or the column with which it swaps names; for an added column its value
 */
public record ModelStep(Kind kind, String text, String column, String other) {
    /** The kind of change. */
    public enum Kind {
        CREATE,
        ADD,
        DROP_COLUMN,
        RENAME,
        SWAP,
        INDEX,
        /** Adds a check: no row may have {@link ModelTable#BAD} from now on. */
        CHECK,
        DROP_CHECK,
        TRUNCATE,
        DROP
    }
}
