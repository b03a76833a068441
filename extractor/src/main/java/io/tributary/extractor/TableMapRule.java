package io.tributary.extractor;

import io.tributary.common.config.Key;
import io.tributary.common.value.Removal;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One rule of the keys {@code table.map.<name>.*}: it maps physical names to a logical one.
 *
 * @param from must match the whole {@code schema.table}, or the whole {@code schema} for a statement about a schema
 * @param to {@code schema.table} or {@code schema}, with {@code $1} or {@code ${name}} for the groups of {@code from}
 * @param drop the handling of DROP for these tables; empty: {@code ddl.drop} applies
 * @param truncate the handling of TRUNCATE for these tables; empty: {@code ddl.truncate} applies
 */
public record TableMapRule(
        @Key(
                value = "from",
                required = true,
                about = "Regular expression that must match a whole physical schema.table (or only a schema).")
        Pattern from,

        @Key(
                value = "to",
                required = true,
                about = "The logical schema.table (or schema), with $1 or ${name} for the groups of the expression.")
        String to,

        @Key(
                value = "ddl.drop",
                about = "Value of ddl.drop for the tables that the expression matches: wait or ignore;"
                        + " ignore, for example, for monthly tables that are dropped after they were"
                        + " archived.")
        Optional<Removal> drop,

        @Key(
                value = "ddl.truncate",
                about = "Value of ddl.truncate for the tables that the expression matches: wait or ignore.")
        Optional<Removal> truncate) {
    /** A rule for names only. */
    public TableMapRule(Pattern from, String to) {
        this(from, to, Optional.empty(), Optional.empty());
    }

    /** Compares the text of the expression: a Pattern is equal only to itself, and a configuration that is read again has new ones. */
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
