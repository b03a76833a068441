package io.tributary.schema.keys;

/** How the value of a column is brought into one form, so that values which a server considers equal have the same hash. */
public enum KeyForm {
    /** The bytes in the row: integers, ENUM, SET, BIT, dates and times. */
    FIXED,
    /** DECIMAL: its bytes; zero has only one form. */
    DECIMAL,
    /** FLOAT: its bytes; zero has only one form. */
    FLOAT,
    /** DOUBLE: its bytes; zero has only one form. */
    DOUBLE,
    /** VARBINARY and BLOB: its bytes. */
    BYTES,
    /** BINARY: its bytes without the zeros and spaces at the end, which servers add and remove. */
    PADDED_BYTES,
    /** A text that is compared by its bytes: without the spaces at the end. */
    TEXT,
    /**
     * A text that is compared by a collation: small ASCII letters, without control characters, and without the spaces at the end. It has no form if
     * it contains other characters: which of them are equal depends on the collation.
     */
    FOLDED_TEXT
}
