package io.tributary.serve.schema;

import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.sql.StatementToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The tables that a SELECT reads, including its subqueries: operands of FROM, JOIN and the commas of a FROM clause. A FROM inside a
 * function's brackets counts too, so that no table is missed.
 */
final class SelectTables {
    private static final String SCHEMA = "information_schema";
    private static final Set<String> END_FROM = Set.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "SELECT");
    private static final Set<String> AFTER_TABLE = Set.of(
            "WHERE",
            "GROUP",
            "HAVING",
            "ORDER",
            "LIMIT",
            "UNION",
            "LEFT",
            "RIGHT",
            "INNER",
            "CROSS",
            "JOIN",
            "NATURAL",
            "STRAIGHT_JOIN",
            "ON",
            "USING");

    private final List<StatementToken> tokens;
    private final SchemaStatements.Asker asker;
    /** By the index of a table's first token: number of its tokens, and its name. */
    private final Map<Integer, Place> places = new HashMap<>();

    private boolean onlySchemas = true;

    /** The tokens of a table. */
    private record Place(int tokens, String table) {}

    /**
     * Finds the tables.
     *
     * @param tokens the tokens after SELECT
     */
    SelectTables(List<StatementToken> tokens, SchemaStatements.Asker asker) {
        this.tokens = tokens;
        this.asker = asker;
        find();
    }

    private void find() {
        Deque<Boolean> inFrom = new ArrayDeque<>(List.of(false));
        boolean expected = false;
        for (int i = 0; i < tokens.size(); i++) {
            StatementToken token = tokens.get(i);
            String word = token.upper();
            boolean isWord = token.kind() == StatementToken.Kind.WORD;
            if (isWord && i > 0 && tokens.get(i - 1).is(".") && isOfFrom(word)) {
                onlySchemas = false; // to MySQL a name, as every word after a dot: FROM continues
            }
            if (token.is("(")) {
                inFrom.push(expected); // FROM (a, b) or FROM (SELECT
            } else if (token.is(")")) {
                inFrom.poll();
                inFrom.add(false); // the shard refuses unbalanced brackets
                expected = false;
            } else if (isWord && beginsTables(word)) {
                setTop(inFrom, true);
                expected = true;
            } else if (isWord && END_FROM.contains(word)) {
                setTop(inFrom, false);
                expected = false;
            } else if (token.is(",")) {
                expected = Boolean.TRUE.equals(inFrom.peek());
            } else if (expected) {
                Place place = place(i);
                places.put(i, place);
                i += place.tokens() - 1;
                expected = false;
            }
        }
    }

    private static boolean beginsTables(String word) {
        return word.equals("FROM") || word.endsWith("JOIN");
    }

    private static boolean isOfFrom(String word) {
        return beginsTables(word) || END_FROM.contains(word);
    }

    private static void setTop(Deque<Boolean> inFrom, boolean value) {
        inFrom.poll();
        inFrom.push(value);
    }

    private Place place(int at) {
        boolean isQualified = tokens.get(at).isName() && tokens.get(at + 1).is(".");
        String schema = isQualified ? tokens.get(at).text() : asker.schema();
        StatementToken table = isQualified ? tokens.get(at + 2) : tokens.get(at);
        if (!SCHEMA.equalsIgnoreCase(schema) || !table.isName()) {
            onlySchemas = false;
        }
        return new Place(isQualified ? 3 : 1, table.text());
    }

    boolean areAllOfSchemas() {
        return onlySchemas && !places.isEmpty();
    }

    List<String> tables() {
        return places.values().stream().map(Place::table).toList();
    }

    /** The statement with replacements of the tables. */
    String text(Function<String, String> views) {
        StringBuilder text = new StringBuilder("SELECT ");
        List<StatementToken> run = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            Place place = places.get(i);
            if (place != null) {
                text.append(SqlText.tokens(run)).append(' ').append(views.apply(place.table()));
                run.clear();
                i += place.tokens() - 1;
                text.append(hasAlias(i + 1) ? " " : " AS " + SqlNames.name(place.table()) + " ");
            } else if (isCallOf(i, "DATABASE") || isCallOf(i, "SCHEMA") || isCallOf(i, "VERSION")) {
                String value = tokens.get(i).is("VERSION") ? asker.version() : asker.schema();
                text.append(SqlText.tokens(run))
                        .append(' ')
                        .append(value == null ? "NULL" : SqlText.literal(value))
                        .append(' ');
                run.clear();
                i += 2;
            } else {
                run.add(tokens.get(i));
            }
        }
        return text.append(SqlText.tokens(run)).toString();
    }

    private boolean isCallOf(int at, String function) {
        return at + 2 < tokens.size()
                && tokens.get(at).is(function)
                && tokens.get(at + 1).is("(")
                && tokens.get(at + 2).is(")");
    }

    private boolean hasAlias(int at) {
        StatementToken next = tokens.get(at);
        return next.is("AS")
                || next.kind() == StatementToken.Kind.QUOTED_NAME
                || next.kind() == StatementToken.Kind.WORD
                        && !AFTER_TABLE.contains(next.text().toUpperCase(Locale.ROOT));
    }
}
