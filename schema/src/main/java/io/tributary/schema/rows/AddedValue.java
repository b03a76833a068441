package io.tributary.schema.rows;

/** The value of rows in a column that their source lacks. */
public sealed interface AddedValue {
    /** SQL NULL. */
    AddedValue NULL = new Null();

    /** SQL NULL. */
    record Null() implements AddedValue {}

    /**
     * A value.
     *
     * @param bytes as in a row image: with the length before the value if the type has one; not changed afterwards
     */
    record Stored(byte[] bytes) implements AddedValue {}

    /**
     * An unknown value, such as that of CURRENT_TIMESTAMP; no row can be rewritten.
     *
     * @param reason why it is unknown, for messages
     */
    record Unknown(String reason) implements AddedValue {}
}
