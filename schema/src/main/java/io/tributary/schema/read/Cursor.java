package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A forward cursor over a statement's tokens. A missing required token makes the statement {@link UnreadableStatementException}. */
final class Cursor {
    private final SqlTokens tokens;
    private final ReadSession session;
    private int at;

    Cursor(SqlTokens tokens, ReadSession session) {
        this.tokens = tokens;
        this.session = session;
    }

    ReadSession session() {
        return session;
    }

    int at() {
        return at;
    }

    void goTo(int place) {
        at = place;
    }

    boolean isAtEnd() {
        return at >= tokens.size();
    }

    void skip() {
        at++;
    }

    void skipAll() {
        at = tokens.size();
    }

    SqlToken token() {
        if (isAtEnd()) {
            throw new UnreadableStatementException("expected more of " + tokens.text());
        }
        return tokens.get(at);
    }

    SqlToken next() {
        SqlToken token = token();
        at++;
        return token;
    }

    /** The word here in upper case; "" if there is none. */
    String word() {
        return tokens.word(at);
    }

    String wordAhead(int ahead) {
        return tokens.word(at + ahead);
    }

    boolean isWord(String word) {
        return tokens.isWord(at, word);
    }

    boolean isWordOf(Set<String> words) {
        return tokens.isOneOf(at, words);
    }

    boolean areWords(String first, String second) {
        return tokens.areWords(at, first, second);
    }

    boolean isSign(char sign) {
        return tokens.isSign(at, sign);
    }

    boolean isSignAhead(int ahead, char sign) {
        return tokens.isSign(at + ahead, sign);
    }

    boolean isName() {
        return tokens.isName(at);
    }

    boolean isLiteral() {
        return tokens.isLiteral(at);
    }

    /** Whether a string directly follows the token here, without a space. */
    boolean isLiteralAhead() {
        return tokens.isLiteral(at + 1) && tokens.end(at) == tokens.start(at + 1);
    }

    boolean isLiteralAfterWord() {
        return tokens.isLiteral(at + 1);
    }

    boolean accept(String word) {
        boolean here = isWord(word);
        at += here ? 1 : 0;
        return here;
    }

    boolean accept(String first, String second) {
        boolean here = areWords(first, second);
        at += here ? 2 : 0;
        return here;
    }

    boolean acceptSign(char sign) {
        boolean here = isSign(sign);
        at += here ? 1 : 0;
        return here;
    }

    /** Consumes any one of these words. */
    boolean acceptOneOf(Set<String> words) {
        boolean here = isWordOf(words);
        at += here ? 1 : 0;
        return here;
    }

    void require(String word) {
        if (!accept(word)) {
            throw new UnreadableStatementException("expected " + word + " at " + rest());
        }
    }

    void requireSign(char sign) {
        if (!acceptSign(sign)) {
            throw new UnreadableStatementException("expected " + sign + " at " + rest());
        }
    }

    /** Consumes {@code IF EXISTS} or {@code IF NOT EXISTS}; returns whether it was there. */
    boolean acceptIfExists() {
        int before = at;
        at = tokens.afterIfExists(at);
        return at > before;
    }

    void acceptEquals() {
        acceptSign('=');
    }

    String name() {
        if (!isName()) {
            throw new UnreadableStatementException("expected a name at " + rest());
        }
        return next().value();
    }

    /** A column, possibly qualified with its table. */
    String column() {
        String name = name();
        while (acceptSign('.')) {
            name = name();
        }
        return name;
    }

    String literal() {
        if (!isLiteral()) {
            throw new UnreadableStatementException("expected a string at " + rest());
        }
        return next().value();
    }

    /** A name or a string, as in character sets and options. */
    String nameOrLiteral() {
        return isLiteral() ? literal() : name();
    }

    int integer() {
        return (int) number();
    }

    long number() {
        String word = name();
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new UnreadableStatementException("expected a number, found " + word);
        }
    }

    /** {@code table}, {@code schema.table} or {@code .table}. */
    TableName table() {
        String schema = session.defaultSchema();
        acceptSign('.');
        String table = name();
        if (acceptSign('.')) {
            schema = table;
            table = name();
        }
        if (session.lowerCaseTableNames()) {
            schema = schema.toLowerCase(Locale.ROOT);
            table = table.toLowerCase(Locale.ROOT);
        }
        return new TableName(schema, table);
    }

    /** Names in parentheses with commas between them. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        requireSign('(');
        do {
            names.add(name());
        } while (acceptSign(','));
        requireSign(')');
        return names;
    }

    void skipParentheses() {
        if (isSign('(')) {
            at = tokens.afterParentheses(at);
        }
    }

    /** Moves to the next comma or closing parenthesis outside parentheses. */
    void skipToComma() {
        while (!isAtEnd() && !isSign(',') && !isSign(')')) {
            if (isSign('(')) {
                skipParentheses();
            } else {
                at++;
            }
        }
    }

    /** Whether there is nothing between the token here and the one before it. */
    boolean isAdjacent() {
        return at > 0 && at < tokens.size() && tokens.end(at - 1) == tokens.start(at);
    }

    String rest() {
        return isAtEnd() ? "the end" : tokens.text().substring(tokens.start(at));
    }
}
