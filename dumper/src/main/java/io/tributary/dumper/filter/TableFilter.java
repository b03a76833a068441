package io.tributary.dumper.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Schemas and tables by pattern: a list such as {@code shop.*, crm.order_*, !crm.order_secret}. {@code *} stands for any
 * characters, {@code ?} for one; case does not count; a name without a dot is a whole schema. A table is read when one of the
 * patterns fits it, or there is none but those with {@code !}, and none of those with {@code !} fits it. Immutable.
 */
public final class TableFilter {
    /** Everything is read. */
    public static final TableFilter ALL = new TableFilter(List.of(), List.of());

    /** Nothing is read. */
    public static final TableFilter NONE =
            new TableFilter(List.of(), List.of(new Rule(Rule.ALL_TABLES, Rule.ALL_TABLES)));

    private final List<Rule> read;
    private final List<Rule> left;

    /**
     * A pattern of schemas and one of tables, in lower case.
     *
     * @param table {@code *} for all tables of the schema
     */
    public record Rule(String schema, String table) {
        private static final String ALL_TABLES = "*";

        /** Whether it is about schemas as a whole. */
        public boolean isOfSchema() {
            return table.equals(ALL_TABLES);
        }

        private boolean fits(String otherSchema, String otherTable) {
            return like(schema, 0, otherSchema, 0) && like(table, 0, otherTable, 0);
        }

        @Override
        public String toString() {
            return schema + "." + table;
        }
    }

    private TableFilter(List<Rule> read, List<Rule> left) {
        this.read = List.copyOf(read);
        this.left = List.copyOf(left);
    }

    /**
     * Reads a list of patterns; an empty one is {@link #ALL}.
     *
     * @throws IllegalArgumentException naming the pattern that is none
     */
    public static TableFilter parse(String text) {
        List<Rule> read = new ArrayList<>();
        List<Rule> left = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String pattern = part.strip();
            if (pattern.isEmpty()) {
                continue;
            }
            boolean isLeft = pattern.startsWith("!");
            String[] names =
                    lower((isLeft ? pattern.substring(1) : pattern).strip()).split("\\.", -1);
            if (names.length > 2 || names[0].isEmpty() || names[names.length - 1].isEmpty()) {
                throw new IllegalArgumentException(
                        "expected a pattern such as schema.table, schema.* or !schema.table, found '" + pattern + "'");
            }
            (isLeft ? left : read).add(new Rule(names[0], names.length == 2 ? names[1] : Rule.ALL_TABLES));
        }
        return read.isEmpty() && left.isEmpty() ? ALL : new TableFilter(read, left);
    }

    /** As MySQL lowers names: a dotted capital I to one character, not to two. */
    private static String lower(String name) {
        return name.replace('\u0130', 'i').toLowerCase(Locale.ROOT);
    }

    /** What a table must fit one of; none: all do. */
    public List<Rule> read() {
        return read;
    }

    /** What it must fit none of. */
    public List<Rule> left() {
        return left;
    }

    /** Whether nothing is left out. */
    public boolean isAll() {
        return read.isEmpty() && left.isEmpty();
    }

    /** Whether the rows of a table are read. */
    public boolean reads(String schema, String table) {
        String inSchema = lower(schema);
        String name = lower(table);
        return (read.isEmpty() || read.stream().anyMatch(rule -> rule.fits(inSchema, name)))
                && left.stream().noneMatch(rule -> rule.fits(inSchema, name));
    }

    /** Whether statements about a schema as a whole are read: some table of it may be. */
    public boolean readsSchema(String schema) {
        String name = lower(schema);
        return (read.isEmpty() || read.stream().anyMatch(rule -> like(rule.schema(), 0, name, 0)))
                && left.stream().noneMatch(rule -> rule.isOfSchema() && like(rule.schema(), 0, name, 0));
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
        return other instanceof TableFilter filter && read.equals(filter.read) && left.equals(filter.left);
    }

    @Override
    public int hashCode() {
        return Objects.hash(read, left);
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return Stream.concat(read.stream().map(Rule::toString), left.stream().map(rule -> "!" + rule))
                .collect(Collectors.joining(", "));
    }
}
