package io.tributary.testkit.schema;

/**
 * A statement about the one table of a {@link SchemaModel}.
 *
 * @param text as a server takes it, for the table t
 * @param column that it is about; "" for none
 * @param other the new name of that column, or the one with which it changes names; the value of a column that is added
 */
public record ModelStep(Kind kind, String text, String column, String other) {
    /** What a statement does. */
    public enum Kind {
        CREATE,
        ADD,
        DROP_COLUMN,
        RENAME,
        SWAP,
        INDEX,
        /** No row may have {@link ModelTable#BAD} from here on. */
        CHECK,
        DROP_CHECK,
        TRUNCATE,
        DROP
    }
}
