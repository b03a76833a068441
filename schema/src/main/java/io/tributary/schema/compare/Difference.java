package io.tributary.schema.compare;

/**
 * One difference of two definitions.
 *
 * @param kind the kind of the difference
 * @param what the column, or the columns of the key or constraint
 * @param first the text in the first definition; "" if it has none
 * @param second the text in the second definition; "" if it has none
 */
public record Difference(Kind kind, String what, String first, String second) {
    /** The kinds of differences. */
    public enum Kind {
        /** Both have the same columns, in another order. */
        COLUMN_ORDER,
        /** Only one has the column. */
        COLUMN,
        /** Type, sign, length, digits, values or spatial reference system. */
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

        /** Whether it is a difference of keys and constraints, not of columns. */
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
