package io.tributary.schema.definition;

/** What a column gets where an INSERT does not name it. */
public sealed interface Default {
    Default NONE = new None();
    Default NULL = new Null();

    /** No default: an INSERT has to name the column, or it gets the implicit default of its type. */
    record None() implements Default {}

    /** NULL. */
    record Null() implements Default {}

    /**
     * A constant.
     *
     * @param value as the column stores it, in the text that SHOW CREATE TABLE has between quotes: {@code 1.50} for 1.5 in a
     *     DECIMAL(5,2); of BIT the binary digits without leading zeros; of BINARY, VARBINARY a character 0..255 for each byte
     */
    record Literal(String value) implements Default {}

    /**
     * An expression.
     *
     * @param text {@code CURRENT_TIMESTAMP}, with its digits such as {@code CURRENT_TIMESTAMP(3)}, or the text within the
     *     parentheses in canonical form
     */
    record Expression(String text) implements Default {
        /** Whether it is the function without parentheses around it. */
        public boolean isCurrentTimestamp() {
            return text.startsWith("CURRENT_TIMESTAMP");
        }
    }
}
