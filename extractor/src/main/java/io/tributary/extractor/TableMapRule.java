package io.tributary.extractor;

import io.tributary.common.config.Key;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One rule of the family {@code table.map.<name>.*}: physical names to a logical one.
 *
 * @param from must match the whole of {@code schema.table}, or of {@code schema} for a statement about a schema alone
 * @param to {@code schema.table} or {@code schema}, with {@code $1} or {@code ${name}} for the groups of {@code from}
 */
public record TableMapRule(
        @Key(
                value = "from",
                required = true,
                about = "Regular expression that a physical schema.table (or schema alone) must match as a whole.")
        Pattern from,

        @Key(
                value = "to",
                required = true,
                about = "The logical schema.table (or schema), with $1 or ${name} for the groups of the expression.")
        String to) {
    /** By the text of the expression: a Pattern equals none but itself, and a configuration that is read again has others. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TableMapRule rule
                && from.pattern().equals(rule.from.pattern())
                && from.flags() == rule.from.flags()
                && to.equals(rule.to);
    }

    @Override
    public int hashCode() {
        return Objects.hash(from.pattern(), to);
    }
}
