package io.tributary.extractor;

import io.tributary.common.config.Key;
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
        String to) {}
