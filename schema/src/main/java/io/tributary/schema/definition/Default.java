package io.tributary.schema.definition;

/** The value of a column that an INSERT does not name. */
public sealed interface Default {
    Default NONE = new None();
    Default NULL = new Null();

    /** No default: an INSERT must name the column, or the column gets the implicit default of its type. */
    record None() implements Default {}

    /** NULL. */
    record Null() implements Default {}

    /**
     * A constant.
     *
     * @param value the stored value, in the text that SHOW CREATE TABLE has between quotes: {@code 1.50} for 1.5 in a
     *     DECIMAL(5,2); for BIT the binary digits without leading zeros; for BINARY, VARBINARY a character 0..255 for each byte
     */
    record Literal(String value) implements Default {}

    /**
     * An expression.
     *
     * @param text {@code CURRENT_TIMESTAMP}, with its digits such as {@code CURRENT_TIMESTAMP(3)}, or the text within the
     *     parentheses in canonical form
     */
    record Expression(String text) implements Default {
        /** Whether it is the function CURRENT_TIMESTAMP without parentheses around it. */
        public boolean isCurrentTimestamp() {
            return text.startsWith("CURRENT_TIMESTAMP");
        }
    }
}
