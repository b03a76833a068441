package io.tributary.schema.write;

import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlTokens;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Writes an ALTER TABLE for a table that lacks some columns of the table on which it was run, or has more: each column that it adds gets its position
 * after the same column as there.
 */
public final class ColumnPositions {
    private static final Set<String> PLACED = Set.of("ADD", "MODIFY", "CHANGE");
    private static final Set<String> NO_COLUMNS = Set.of(
            "INDEX",
            "KEY",
            "FULLTEXT",
            "SPATIAL",
            "PRIMARY",
            "UNIQUE",
            "FOREIGN",
            "CHECK",
            "CONSTRAINT",
            "PARTITION",
            "PERIOD",
            "SYSTEM");

    private final SqlTokens tokens;
    private final TableDefinition wanted;
    private final Set<String> existing = new HashSet<>();

    private ColumnPositions(SqlTokens tokens, TableDefinition output, TableDefinition wanted) {
        this.tokens = tokens;
        this.wanted = wanted;
        output.columns().forEach(column -> existing.add(lower(column.name())));
    }

    /**
     * The text to run on the other table.
     *
     * @param output the definition of the other table before it
     * @param wanted the definition of the table on which the statement was run, after it, and possibly after other statements
     * @return the same text if the columns that it adds get these positions anyway, or if no other text is possible
     */
    public static String text(String text, ReadSession session, TableDefinition output, TableDefinition wanted) {
        Optional<TableDefinition> plain = DefinitionReader.alter(output, text, session);
        if (plain.isPresent() && isPlaced(plain.get(), output, wanted)) {
            return text;
        }
        String other = new ColumnPositions(session.scan(text), output, wanted).rewritten();
        return DefinitionReader.alter(output, other, session).isPresent() ? other : text;
    }

    /** Whether each new column is after the column that it must follow. */
    private static boolean isPlaced(TableDefinition made, TableDefinition output, TableDefinition wanted) {
        for (int i = 0; i < made.columns().size(); i++) {
            String name = made.columns().get(i).name();
            int place = wanted.indexOf(name);
            boolean isNew = output.indexOf(name) < 0 && place >= 0;
            if (isNew && made.indexOf(before(wanted, place, column -> made.indexOf(column) >= 0)) != i - 1) {
                return false;
            }
        }
        return true;
    }

    /** The nearest existing column before an index; "" if there is none. */
    private static String before(TableDefinition wanted, int place, Predicate<String> isThere) {
        for (int at = place - 1; at >= 0; at--) {
            String name = wanted.columns().get(at).name();
            if (isThere.test(name)) {
                return name;
            }
        }
        return "";
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private String rewritten() {
        StringBuilder out = new StringBuilder();
        int at = 0;
        int copied = 0;
        while (at < tokens.size() && !(tokens.isOneOf(at, PLACED) && at > 1)) {
            at++;
        }
        while (at < tokens.size()) {
            int end = tokens.find(',', at, tokens.size());
            String name = column(at);
            int index = name.isEmpty() ? -1 : wanted.indexOf(name);
            int placeAt = placeAt(at, end);
            boolean isMoved = tokens.isWord(at, "ADD") || tokens.isWord(placeAt, "AFTER");
            if (index >= 0 && isMoved) {
                out.append(tokens.text(), copied, tokens.end(placeAt - 1)).append(place(index));
                copied = tokens.end(end - 1);
            }
            existing.add(lower(name));
            at = end + 1;
        }
        return out.append(tokens.text(), copied, tokens.text().length()).toString();
    }

    /** The name after the statement of an item's column; "" if the item has none, or several. */
    private String column(int item) {
        if (!tokens.isOneOf(item, PLACED)) {
            return "";
        }
        int at = item + 1;
        boolean isNamed = tokens.isWord(at, "COLUMN");
        at = tokens.afterIfExists(isNamed ? at + 1 : at);
        at += tokens.isWord(item, "CHANGE") ? 1 : 0;
        boolean isOther = !isNamed && tokens.isOneOf(at, NO_COLUMNS);
        return isOther || !tokens.isName(at) ? "" : tokens.get(at).value();
    }

    /** The index of FIRST or AFTER at the end of an item; its end if there is neither. */
    private int placeAt(int item, int end) {
        if (end - 1 > item + 1 && tokens.isWord(end - 1, "FIRST")) {
            return end - 1;
        }
        return end - 2 > item + 1 && tokens.isWord(end - 2, "AFTER") ? end - 2 : end;
    }

    private String place(int index) {
        String name = before(wanted, index, column -> existing.contains(lower(column)));
        return name.isEmpty() ? " FIRST" : " AFTER " + SqlNames.name(name);
    }
}
