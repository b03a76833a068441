package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** A position in a statement's tokens that moves forward, and the names that were read. After the end, all words are empty. */
final class TokenCursor {
    /** Words that begin another clause if a name is missing. */
    private static final Set<String> NO_NAME = Set.of("IF", "ON", "SELECT", "AS");

    private final SqlTokens tokens;
    private final String defaultSchema;
    private final List<NameSpan> names = new ArrayList<>();
    private int at;

    TokenCursor(SqlTokens tokens, String defaultSchema) {
        this.tokens = tokens;
        this.defaultSchema = defaultSchema;
    }

    boolean isAtEnd() {
        return at >= tokens.size();
    }

    void skip(int count) {
        at += count;
    }

    /** The word at the position in upper case; "" if there is none. */
    String word() {
        return wordAhead(0);
    }

    String wordAhead(int ahead) {
        return tokens.word(at + ahead);
    }

    boolean isWord(String word) {
        return word().equals(word);
    }

    boolean isSign(char sign) {
        return !isAtEnd() && tokens.get(at).isSign(sign);
    }

    boolean isName() {
        return !isAtEnd() && tokens.get(at).canBeName();
    }

    boolean acceptWord(String word) {
        boolean here = isWord(word);
        at += here ? 1 : 0;
        return here;
    }

    boolean acceptSign(char sign) {
        boolean here = isSign(sign);
        at += here ? 1 : 0;
        return here;
    }

    void skipPast(String word) {
        while (!isAtEnd() && !isWord(word)) {
            at++;
        }
        at++;
    }

    /** Skips {@code IF EXISTS} or {@code IF NOT EXISTS}; returns whether it was there. */
    boolean acceptIfExists() {
        int before = at;
        at = tokens.afterIfExists(at);
        return at > before;
    }

    /** Skips {@code DEFINER = user[@host]}, whose parts may be any tokens. */
    void skipDefiner() {
        at++;
        if (!acceptSign('=')) { // SQL SECURITY DEFINER
            return;
        }
        at++;
        if (isSign('(')) { // CURRENT_USER()
            at += 2;
        } else if (acceptSign('@')) {
            at++;
            while (isSign('.') || isSign('-')) { // an unquoted host's parts
                at += 2;
            }
        }
    }

    /** Index of the current token. */
    int at() {
        return at;
    }

    /** Reads {@code table}, {@code schema.table} or {@code .table}. */
    void readTable(boolean target) {
        int start = isAtEnd() ? 0 : tokens.get(at).start();
        acceptSign('.');
        if (!isName() || NO_NAME.contains(word())) {
            return;
        }
        SqlToken first = tokens.get(at++);
        if (isSign('.') && at + 1 < tokens.size() && tokens.get(at + 1).canBeName()) {
            SqlToken second = tokens.get(at + 1);
            at += 2;
            names.add(new NameSpan(start, second.end(), new TableName(first.value(), second.value()), true, target));
        } else {
            names.add(new NameSpan(start, first.end(), new TableName(defaultSchema, first.value()), false, target));
        }
    }

    /** Reads names that are separated by commas. */
    void readTables(boolean target) {
        do {
            readTable(target);
        } while (acceptSign(','));
    }

    void readSchema() {
        SqlToken name = tokens.get(at++);
        names.add(new NameSpan(name.start(), name.end(), new TableName(name.value(), ""), true, true));
    }

    /** Adds the session's own schema, if the statement does not name a schema. */
    void implySchema() {
        if (!defaultSchema.isEmpty()) {
            names.add(new NameSpan(NameSpan.NOWHERE, NameSpan.NOWHERE, new TableName(defaultSchema, ""), true, true));
        }
    }

    /** The names in the order of the text; implied ones first. */
    List<NameSpan> names() {
        return names.stream().sorted(Comparator.comparingInt(NameSpan::start)).toList();
    }
}
