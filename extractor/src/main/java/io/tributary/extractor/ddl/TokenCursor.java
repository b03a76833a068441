package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** A place in a statement's tokens that moves forward, and the names found on the way. Behind the end there are empty words. */
final class TokenCursor {
    /** Words that begin another clause where a name was left out. */
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

    /** The word here in upper case; "" where there is none. */
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

    boolean takeWord(String word) {
        boolean here = isWord(word);
        at += here ? 1 : 0;
        return here;
    }

    boolean takeSign(char sign) {
        boolean here = isSign(sign);
        at += here ? 1 : 0;
        return here;
    }

    void skipBehind(String word) {
        while (!isAtEnd() && !isWord(word)) {
            at++;
        }
        at++;
    }

    /** Takes {@code IF EXISTS} or {@code IF NOT EXISTS}; whether it was there. */
    boolean takeIfExists() {
        int before = at;
        at = tokens.behindIfExists(at);
        return at > before;
    }

    /** {@code DEFINER = user[@host]}, whose parts may look like anything. */
    void skipDefiner() {
        at++;
        if (!takeSign('=')) { // SQL SECURITY DEFINER
            return;
        }
        at++;
        if (isSign('(')) { // CURRENT_USER()
            at += 2;
        } else if (takeSign('@')) {
            at++;
            while (isSign('.') || isSign('-')) { // an unquoted host's parts
                at += 2;
            }
        }
    }

    /** The token's number. */
    int at() {
        return at;
    }

    /** Takes {@code table}, {@code schema.table} or {@code .table}. */
    void takeTable(boolean target) {
        int start = isAtEnd() ? 0 : tokens.get(at).start();
        takeSign('.');
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

    /** Takes names with commas between them. */
    void takeTables(boolean target) {
        do {
            takeTable(target);
        } while (takeSign(','));
    }

    void takeSchema() {
        SqlToken name = tokens.get(at++);
        names.add(new NameSpan(name.start(), name.end(), new TableName(name.value(), ""), true, true));
    }

    /** A statement about the session's own schema, which it does not name. */
    void implySchema() {
        if (!defaultSchema.isEmpty()) {
            names.add(new NameSpan(NameSpan.NOWHERE, NameSpan.NOWHERE, new TableName(defaultSchema, ""), true, true));
        }
    }

    /** In the order of the text; implied ones first. */
    List<NameSpan> names() {
        return names.stream().sorted(Comparator.comparingInt(NameSpan::start)).toList();
    }
}
