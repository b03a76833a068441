package io.tributary.dumper.serve;

import java.util.List;

/** Reads the tokens of one statement from left to right. */
final class SqlReader {
    private static final int MOST_DEPTH = 100;

    private final String sql;
    private final List<SqlToken> tokens;
    private int next;

    SqlReader(String sql) {
        this.sql = sql;
        this.tokens = SqlLexer.tokens(sql);
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

    SqlToken peek() {
        return tokens.get(next);
    }

    SqlToken take() {
        SqlToken token = tokens.get(next);
        if (token.kind() != SqlToken.Kind.END) {
            next++;
        }
        return token;
    }

    boolean atEnd() {
        return peek().kind() == SqlToken.Kind.END;
    }

    /** Takes these words if they all come next, in this order. */
    boolean accept(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (next + i >= tokens.size() || !tokens.get(next + i).is(words[i])) {
                return false;
            }
        }
        next += words.length;
        return true;
    }

    /** Takes one of these words if it comes next. */
    boolean acceptAny(String... words) {
        for (String word : words) {
            if (accept(word)) {
                return true;
            }
        }
        return false;
    }

    void expect(String... words) {
        if (!accept(words)) {
            throw refusal();
        }
    }

    void expectEnd() {
        if (!atEnd()) {
            throw refusal();
        }
    }

    /** The next token as a string literal. */
    String string() {
        SqlToken token = take();
        if (token.kind() != SqlToken.Kind.STRING) {
            next--;
            throw refusal();
        }
        return token.text();
    }

    /** An error that shows the place. */
    SqlRefusal refusal() {
        String rest = sql.substring(Math.min(sql.length(), peek().start()));
        return SqlRefusal.syntax(rest.length() > 80 ? rest.substring(0, 80) : rest);
    }

    /** What was written between two tokens' places. */
    String written(int start) {
        int end = next == 0 ? start : tokens.get(next - 1).end();
        return sql.substring(Math.min(start, end), end);
    }
}
