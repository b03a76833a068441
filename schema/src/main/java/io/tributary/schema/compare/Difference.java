package io.tributary.schema.compare;

/**
 * One thing in which two definitions differ.
 *
 * @param kind what differs
 * @param what the column, or the columns of the key or constraint
 * @param first what the first definition says; "" where it has none
 * @param second what the second definition says; "" where it has none
 */
public record Difference(Kind kind, String what, String first, String second) {
    /** What can differ. */
    public enum Kind {
        /** Both have the same columns, in another order. */
        COLUMN_ORDER,
        /** One has the column, the other not. */
        COLUMN,
        /** Type, sign, length, digits, values or reference system. */
        TYPE,
        COLLATION,
        NULLABILITY,
        DEFAULT,
        GENERATION,
        AUTO_INCREMENT,
        ON_UPDATE,
        VISIBILITY,
        PRIMARY_KEY,
        UNIQUE_KEY,
        FOREIGN_KEY,
        CHECK;

        /** Whether it is one of keys and constraints, not of columns. */
        public boolean isOfKeys() {
            return this == PRIMARY_KEY || this == UNIQUE_KEY || this == FOREIGN_KEY || this == CHECK;
        }
    }

    @Override
    public String toString() {
        return kind + " of " + what + ": " + (first.isEmpty() ? "none" : first) + " and "
                + (second.isEmpty() ? "none" : second);
    }
}
