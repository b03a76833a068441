package io.tributary.extractor;

import io.tributary.common.config.Key;
import io.tributary.common.value.Removal;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One rule of the family {@code table.map.<name>.*}: physical names to a logical one.
 *
 * @param from must match the whole of {@code schema.table}, or of {@code schema} for a statement about a schema alone
 * @param to {@code schema.table} or {@code schema}, with {@code $1} or {@code ${name}} for the groups of {@code from}
 * @param drop of these tables; empty where {@code ddl.drop} says it
 * @param truncate of these tables; empty where {@code ddl.truncate} says it
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
        String to,

        @Key(
                value = "ddl.drop",
                about =
                        "ddl.drop for the tables that the expression matches: wait, or ignore, such as for tables of one month that are dropped as an"
                                + " archive.")
        Optional<Removal> drop,

        @Key(value = "ddl.truncate", about = "ddl.truncate for the tables that the expression matches: wait or ignore.")
        Optional<Removal> truncate) {
    /** Of names alone. */
    public TableMapRule(Pattern from, String to) {
        this(from, to, Optional.empty(), Optional.empty());
    }

    /** By the text of the expression: a Pattern equals none but itself, and a configuration that is read again has others. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TableMapRule rule
                && from.pattern().equals(rule.from.pattern())
                && from.flags() == rule.from.flags()
                && to.equals(rule.to)
                && drop.equals(rule.drop)
                && truncate.equals(rule.truncate);
    }

    @Override
    public int hashCode() {
        return Objects.hash(from.pattern(), to, drop, truncate);
    }
}
