package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;

/**
 * The mapping from physical to logical names, by the rules of {@code table.map.*} in the alphabetical order of their names. The first rule
 * that matches counts; a name without a matching rule stays unchanged. Immutable; any thread. Not for the hot path: extractors keep its
 * results.
 */
public final class TableMapping implements UnaryOperator<TableName> {
    /** Leaves every name unchanged. */
    static final TableMapping NONE = new TableMapping(Map.of());

    private final List<TableMapRule> rules;

    /**
     * @param rules by name
     * @throws TributaryException CONFIG_INVALID if a rule refers to a group that its expression does not have
     */
    public TableMapping(Map<String, TableMapRule> rules) {
        TreeMap<String, TableMapRule> sorted = new TreeMap<>(rules);
        sorted.forEach(TableMapping::check);
        this.rules = List.copyOf(sorted.values());
    }

    private static void check(String name, TableMapRule rule) {
        // an alternative that always matches keeps the groups: their references can be checked without a real name
        Matcher matcher = java.util.regex.Pattern.compile(
                        "(?:" + rule.from().pattern() + ")|", rule.from().flags())
                .matcher("");
        try {
            matcher.lookingAt();
            matcher.appendReplacement(new StringBuilder(), rule.to());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "table.map." + name + ".to: expected references to groups of '" + rule.from() + "', found '"
                            + rule.to() + "' (" + e.getMessage() + ")",
                    e);
        }
    }

    public boolean isIdentity() {
        return rules.isEmpty();
    }

    /** The rule that applies to a physical name; empty if none matches. */
    public Optional<TableMapRule> rule(TableName physical) {
        String text = physical.toString();
        return rules.stream()
                .filter(rule -> rule.from().matcher(text).matches())
                .findFirst();
    }

    /**
     * The logical name.
     *
     * @param physical a table, or a schema (empty table)
     * @throws TributaryException CONFIG_INVALID if the result of a rule for a table is not a table's name
     */
    @Override
    public TableName apply(TableName physical) {
        if (rules.isEmpty()) {
            return physical;
        }
        String text = physical.toString();
        for (TableMapRule rule : rules) {
            Matcher matcher = rule.from().matcher(text);
            if (matcher.matches()) {
                StringBuilder out = new StringBuilder();
                matcher.reset();
                matcher.find();
                matcher.appendReplacement(out, rule.to());
                return logical(physical, out.toString(), rule);
            }
        }
        return physical;
    }

    private static TableName logical(TableName physical, String text, TableMapRule rule) {
        int dot = text.indexOf('.');
        String schema = dot < 0 ? text : text.substring(0, dot);
        String table = dot < 0 ? "" : text.substring(dot + 1);
        if (schema.isEmpty() || table.isEmpty() != physical.table().isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "table.map: expected a logical " + (physical.table().isEmpty() ? "schema" : "schema.table")
                            + " for " + physical + ", found '" + text + "' by the rule '" + rule.from() + "'");
        }
        return new TableName(schema, table);
    }
}
