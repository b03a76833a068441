package io.tributary.serve.filter;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A filter of schemas and tables by patterns: a list such as {@code shop.*, crm.order_*, !crm.order_secret}. {@code *} matches any
 * characters, {@code ?} one character; case-insensitive. A name without a dot is a whole schema. A table is read if it matches one of the
 * patterns without {@code !}, or there are none, and if it matches none of those with {@code !}. Immutable.
 */
public final class TableFilter {
    /** Reads everything. */
    public static final TableFilter ALL = new TableFilter(List.of(), List.of());

    /** Reads nothing. */
    public static final TableFilter NONE =
            new TableFilter(List.of(), List.of(new Rule(Rule.ALL_TABLES, Rule.ALL_TABLES)));

    private final List<Rule> included;
    private final List<Rule> excluded;

    /**
     * A pattern for schemas and one for tables, in lower case.
     *
     * @param table {@code *} for all tables of the schema
     */
    public record Rule(String schema, String table) {
        private static final String ALL_TABLES = "*";

        /** Whether it covers whole schemas. */
        public boolean isOfSchema() {
            return table.equals(ALL_TABLES);
        }

        private boolean matches(String otherSchema, String otherTable) {
            return like(schema, 0, otherSchema, 0) && like(table, 0, otherTable, 0);
        }

        @Override
        public String toString() {
            return schema + "." + table;
        }
    }

    private TableFilter(List<Rule> included, List<Rule> excluded) {
        this.included = List.copyOf(included);
        this.excluded = List.copyOf(excluded);
    }

    /**
     * Parses a list of patterns; an empty one is {@link #ALL}.
     *
     * @throws IllegalArgumentException naming the invalid pattern
     */
    public static TableFilter parse(String text) {
        List<Rule> included = new ArrayList<>();
        List<Rule> excluded = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String pattern = part.strip();
            if (pattern.isEmpty()) {
                continue;
            }
            boolean isExcluded = pattern.startsWith("!");
            String[] names =
                    lower((isExcluded ? pattern.substring(1) : pattern).strip()).split("\\.", -1);
            if (names.length > 2 || names[0].isEmpty() || names[names.length - 1].isEmpty()) {
                throw new IllegalArgumentException(
                        "expected a pattern such as schema.table, schema.* or !schema.table, found '" + pattern + "'");
            }
            (isExcluded ? excluded : included).add(new Rule(names[0], names.length == 2 ? names[1] : Rule.ALL_TABLES));
        }
        return included.isEmpty() && excluded.isEmpty() ? ALL : new TableFilter(included, excluded);
    }

    /** Lower-cases a name as MySQL does: a dotted capital I becomes one character, not two. */
    private static String lower(String name) {
        return name.replace('\u0130', 'i').toLowerCase(Locale.ROOT);
    }

    /** A table must match one of these patterns; empty: all tables do. */
    public List<Rule> included() {
        return included;
    }

    /** A table must match none of these patterns. */
    public List<Rule> excluded() {
        return excluded;
    }

    /** Whether everything is read. */
    public boolean isAll() {
        return included.isEmpty() && excluded.isEmpty();
    }

    /** Whether the rows of a table are read. */
    public boolean reads(String schema, String table) {
        String inSchema = lower(schema);
        String name = lower(table);
        return (included.isEmpty() || included.stream().anyMatch(rule -> rule.matches(inSchema, name)))
                && excluded.stream().noneMatch(rule -> rule.matches(inSchema, name));
    }

    /** Whether statements about a whole schema are read: some table of it may be readable. */
    public boolean readsSchema(String schema) {
        String name = lower(schema);
        return (included.isEmpty() || included.stream().anyMatch(rule -> like(rule.schema(), 0, name, 0)))
                && excluded.stream().noneMatch(rule -> rule.isOfSchema() && like(rule.schema(), 0, name, 0));
    }

    /** Whether the rows of a table are read, or, if there is no name of a table, statements about the schema. */
    public boolean reads(TableName name) {
        return name.table().isEmpty() ? readsSchema(name.schema()) : reads(name.schema(), name.table());
    }

    private static boolean like(String pattern, int p, String text, int t) {
        int at = t;
        for (int i = p; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '*') {
                for (int skip = at; skip <= text.length(); skip++) {
                    if (like(pattern, i + 1, text, skip)) {
                        return true;
                    }
                }
                return false;
            }
            if (at == text.length() || c != '?' && c != text.charAt(at)) {
                return false;
            }
            at++;
        }
        return at == text.length();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TableFilter filter
                && included.equals(filter.included)
                && excluded.equals(filter.excluded);
    }

    @Override
    public int hashCode() {
        return Objects.hash(included, excluded);
    }

    /** The text that {@link #parse} accepts. */
    @Override
    public String toString() {
        return Stream.concat(
                        included.stream().map(Rule::toString), excluded.stream().map(rule -> "!" + rule))
                .collect(Collectors.joining(", "));
    }
}
