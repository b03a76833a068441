package io.tributary.dumper.sql;

import java.util.List;

/** Reads the tokens of one statement from left to right. */
public final class SqlReader {
    private static final int MOST_DEPTH = 100;

    private final String sql;
    private final List<SqlToken> tokens;
    private int next;

    public SqlReader(String sql) {
        this.sql = sql;
        this.tokens = ReaderTokens.of(sql);
        requireShallow();
    }

    /** Who nests so deep wants the reader's stack to end. */
    private void requireShallow() {
        int depth = 0;
        for (SqlToken token : tokens) {
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (depth > MOST_DEPTH) {
                throw new SqlRefusal(1064, "42000", "expected at most " + MOST_DEPTH + " open brackets");
            }
        }
    }

    public SqlToken peek() {
        return tokens.get(next);
    }

    /** All tokens from here on, the last of kind END. */
    public List<SqlToken> rest() {
        return tokens.subList(next, tokens.size());
    }

    /** What has not been read yet, as it was written. */
    public String restText() {
        return sql.substring(Math.min(sql.length(), peek().start()));
    }

    /** Whether these words come next, in this order; nothing is taken. */
    public boolean sees(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (next + i >= tokens.size() || !tokens.get(next + i).is(words[i])) {
                return false;
            }
        }
        return true;
    }

    public SqlToken take() {
        SqlToken token = tokens.get(next);
        if (token.kind() != SqlToken.Kind.END) {
            next++;
        }
        return token;
    }

    public boolean atEnd() {
        return peek().kind() == SqlToken.Kind.END;
    }

    /** Takes these words if they all come next, in this order. */
    public boolean accept(String... words) {
        if (!sees(words)) {
            return false;
        }
        next += words.length;
        return true;
    }

    /** Takes one of these words if it comes next. */
    public boolean acceptAny(String... words) {
        for (String word : words) {
            if (accept(word)) {
                return true;
            }
        }
        return false;
    }

    public void expect(String... words) {
        if (!accept(words)) {
            throw refusal();
        }
    }

    public void expectEnd() {
        if (!atEnd()) {
            throw refusal();
        }
    }

    /** The next token as a string literal. */
    public String string() {
        SqlToken token = take();
        if (token.kind() != SqlToken.Kind.STRING) {
            throw refusalAt(token);
        }
        return token.text();
    }

    /** The next token as a name, in backquotes or not. */
    public String name() {
        SqlToken token = take();
        if (!token.isName()) {
            throw refusalAt(token);
        }
        return token.text();
    }

    /** The next token as a whole number. */
    public long number() {
        SqlToken token = take();
        if (token.kind() != SqlToken.Kind.NUMBER
                || token.text().contains(".")
                || token.text().length() > 18) {
            throw refusalAt(token);
        }
        return Long.parseLong(token.text());
    }

    /** Takes whatever is left. */
    public void skipRest() {
        next = tokens.size() - 1;
    }

    /** An error that shows the place. */
    public SqlRefusal refusal() {
        return refusalAt(peek());
    }

    private SqlRefusal refusalAt(SqlToken token) {
        String rest = sql.substring(Math.min(sql.length(), token.start()));
        return SqlRefusal.syntax(rest.length() > 80 ? rest.substring(0, 80) : rest);
    }

    /** Offset behind the last token that was taken; 0 before the first. */
    public int takenEnd() {
        return next == 0 ? 0 : tokens.get(next - 1).end();
    }

    /** What was written between two tokens' places. */
    public String written(int start) {
        int end = next == 0 ? start : tokens.get(next - 1).end();
        return sql.substring(Math.min(start, end), end);
    }
}
