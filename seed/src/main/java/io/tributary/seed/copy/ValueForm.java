package io.tributary.seed.copy;

/** How the text of a value becomes a literal of a session whose character set is binary. */
enum ValueForm {
    /** As it is: numbers, BIT, SET. */
    NUMBER,
    /** With an exponent, so that it is no DECIMAL and negative zero stays. */
    FLOAT,
    /** In quotes; there is nothing to escape: times. */
    QUOTED,
    /** In quotes, escaped: the bytes are those that are stored. */
    BYTES,
    /** The same as text in utf8mb4: JSON. */
    TEXT,
    /** By number; 0 is the empty text of an invalid value. */
    ENUM
}
