package io.tributary.serve.sql;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlToken.Kind;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of a reader's statement: those of {@link SqlScanner}, with numbers separated from words, and with the parts of a number or a
 * variable joined (MySQL manual, "Numeric Literals", "User-Defined Variables").
 */
final class ReaderTokens {
    private static final int MAX_TOKENS = 1 << 16;

    private final SqlTokens scanned;
    private final List<StatementToken> tokens = new ArrayList<>();
    private int at;

    private ReaderTokens(SqlTokens scanned) {
        this.scanned = scanned;
    }

    /**
     * Splits a statement.
     *
     * @return the tokens, the last of kind END; without trailing semicolons
     * @throws SqlRefusal 1064 when a quoted text does not end
     */
    static List<StatementToken> of(String sql) {
        SqlTokens scanned = SqlScanner.scan(sql, SqlMode.DEFAULT);
        if (!scanned.isComplete()) {
            throw new SqlRefusal(
                    MysqlError.ER_PARSE_ERROR, "expected the end of a quoted text, found the end of the statement");
        }
        if (scanned.size() > MAX_TOKENS) {
            throw new SqlRefusal(
                    MysqlError.ER_CAPACITY_EXCEEDED,
                    "Memory capacity of " + MAX_TOKENS
                            + " words and signs for 'parser_max_mem_size' exceeded. Parser bailed out for this query.");
        }
        ReaderTokens reader = new ReaderTokens(scanned);
        while (reader.at < scanned.size()) {
            reader.next();
        }
        reader.tokens.add(new StatementToken(StatementToken.Kind.END, "", sql.length(), sql.length()));
        return reader.tokens;
    }

    private void next() {
        int first = at++;
        String value = scanned.get(first).value();
        switch (scanned.get(first).kind()) {
            case LITERAL -> add(StatementToken.Kind.STRING, value, first);
            case NAME -> add(StatementToken.Kind.QUOTED_NAME, value, first);
            case WORD -> {
                if (isDigits(first)) {
                    number(first);
                } else {
                    add(StatementToken.Kind.WORD, value, first);
                }
            }
            case SIGN -> {
                if (value.equals("@")) {
                    variable(first);
                } else {
                    add(StatementToken.Kind.SYMBOL, value, first);
                }
            }
        }
    }

    private void number(int first) {
        boolean hasDecimals = isAdjacent() && scanned.isSign(at, '.') && touches(at + 1) && isDigits(at + 1);
        at += hasDecimals ? 2 : 0;
        add(StatementToken.Kind.NUMBER, scanned.text().substring(scanned.start(first), scanned.end(at - 1)), first);
    }

    private void variable(int first) {
        boolean isSystem = isAdjacent() && scanned.isSign(at, '@');
        at += isSystem ? 1 : 0;
        StringBuilder name = new StringBuilder(isSystem ? "@@" : "@");
        if (isAdjacent() && scanned.isLiteral(at)) {
            name.append(scanned.get(at++).value());
        } else {
            while (isAdjacent() && (scanned.isName(at) || scanned.isSign(at, '.'))) {
                name.append(scanned.get(at++).value());
            }
        }
        add(isSystem ? StatementToken.Kind.SYSTEM_VARIABLE : StatementToken.Kind.USER_VARIABLE, name.toString(), first);
    }

    /**
     * Adds a token.
     *
     * @param first index of the first scanned token of it; the last one is the token before the current one
     */
    private void add(StatementToken.Kind kind, String text, int first) {
        tokens.add(new StatementToken(kind, text, scanned.start(first), scanned.end(at - 1)));
    }

    private boolean isAdjacent() {
        return touches(at);
    }

    /** Whether there is nothing between a token and the one before it. */
    private boolean touches(int token) {
        return token < scanned.size() && scanned.start(token) == scanned.end(token - 1);
    }

    private boolean isDigits(int token) {
        if (token >= scanned.size() || scanned.get(token).kind() != Kind.WORD) {
            return false;
        }
        String value = scanned.get(token).value();
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
