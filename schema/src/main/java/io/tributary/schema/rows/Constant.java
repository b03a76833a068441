package io.tributary.schema.rows;

/** What rows get in a column that their source lacks. */
public sealed interface Constant {
    /** SQL NULL. */
    Constant NULL = new Null();

    /** SQL NULL. */
    record Null() implements Constant {}

    /**
     * A value.
     *
     * @param bytes as a row image has them: with the length in front where the type has one; not changed afterwards
     */
    record Stored(byte[] bytes) implements Constant {}

    /**
     * A value that cannot be told, such as that of CURRENT_TIMESTAMP; no row can be rewritten.
     *
     * @param reason why, for messages
     */
    record Unknown(String reason) implements Constant {}
}
