package io.tributary.dumper.sql;

import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlToken.Kind;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of a reader's statement: those of {@link SqlScanner}, with numbers told from words, and the parts of a number or a variable made
 * one (MySQL manual, "Numeric Literals", "User-Defined Variables").
 */
final class ReaderTokens {
    private static final int MOST = 1 << 16;

    private final SqlTokens scanned;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private ReaderTokens(SqlTokens scanned) {
        this.scanned = scanned;
    }

    /**
     * @return the tokens, the last of kind END; trailing semicolons are left out
     * @throws SqlRefusal 1064 where a quoted text does not end
     */
    static List<SqlToken> of(String sql) {
        SqlTokens scanned = SqlScanner.scan(sql, SqlMode.DEFAULT);
        if (!scanned.isComplete()) {
            throw new SqlRefusal(1064, "42000", "a quoted text does not end");
        }
        if (scanned.size() > MOST) {
            throw new SqlRefusal(
                    3170,
                    "HY000",
                    "Memory capacity of " + MOST
                            + " words and signs for 'parser_max_mem_size' exceeded. Parser bailed out for this query.");
        }
        ReaderTokens reader = new ReaderTokens(scanned);
        while (reader.at < scanned.size()) {
            reader.next();
        }
        reader.tokens.add(new SqlToken(SqlToken.Kind.END, "", sql.length(), sql.length()));
        return reader.tokens;
    }

    private void next() {
        int first = at++;
        String value = scanned.get(first).value();
        switch (scanned.get(first).kind()) {
            case LITERAL -> add(SqlToken.Kind.STRING, value, first);
            case NAME -> add(SqlToken.Kind.QUOTED_NAME, value, first);
            case WORD -> {
                if (isDigits(first)) {
                    number(first);
                } else {
                    add(SqlToken.Kind.WORD, value, first);
                }
            }
            case SIGN -> {
                if (value.equals("@")) {
                    variable(first);
                } else {
                    add(SqlToken.Kind.SYMBOL, value, first);
                }
            }
        }
    }

    private void number(int first) {
        boolean hasDecimals = isAdjacent() && scanned.isSign(at, '.') && touches(at + 1) && isDigits(at + 1);
        at += hasDecimals ? 2 : 0;
        add(SqlToken.Kind.NUMBER, scanned.text().substring(scanned.start(first), scanned.end(at - 1)), first);
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
        add(isSystem ? SqlToken.Kind.SYSTEM_VARIABLE : SqlToken.Kind.USER_VARIABLE, name.toString(), first);
    }

    /** @param first the first of the scanned tokens that it is made of; the last is the one taken last */
    private void add(SqlToken.Kind kind, String text, int first) {
        tokens.add(new SqlToken(kind, text, scanned.start(first), scanned.end(at - 1)));
    }

    private boolean isAdjacent() {
        return touches(at);
    }

    /** Whether nothing stands between a token and the one before it. */
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
