package io.tributary.serve.sql;

import io.tributary.mysql.protocol.MysqlError;
import java.util.List;

/** Reads the tokens of one statement from left to right. */
public final class SqlReader {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_SHOWN = 80;

    private final String sql;
    private final List<StatementToken> tokens;
    private int next;

    public SqlReader(String sql) {
        this.sql = sql;
        this.tokens = ReaderTokens.of(sql);
        requireShallow();
    }

    /** Refuses deep nesting, which would overflow the stack. */
    private void requireShallow() {
        int depth = 0;
        for (StatementToken token : tokens) {
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (depth > MAX_DEPTH) {
                throw new SqlRefusal(MysqlError.ER_PARSE_ERROR, "expected at most " + MAX_DEPTH + " open brackets");
            }
        }
    }

    public StatementToken peek() {
        return tokens.get(next);
    }

    /** All tokens that have not been read, the last of kind END. */
    public List<StatementToken> rest() {
        return tokens.subList(next, tokens.size());
    }

    /** Whether these words are next, in this order; does not read them. */
    public boolean isNext(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (next + i >= tokens.size() || !tokens.get(next + i).is(words[i])) {
                return false;
            }
        }
        return true;
    }

    public StatementToken next() {
        StatementToken token = tokens.get(next);
        if (token.kind() != StatementToken.Kind.END) {
            next++;
        }
        return token;
    }

    public boolean atEnd() {
        return peek().kind() == StatementToken.Kind.END;
    }

    /** Reads these words if all of them are next, in this order. */
    public boolean accept(String... words) {
        if (!isNext(words)) {
            return false;
        }
        next += words.length;
        return true;
    }

    /** Reads one of these words if it is next. */
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
        StatementToken token = next();
        if (token.kind() != StatementToken.Kind.STRING) {
            throw refusalAt(token);
        }
        return token.text();
    }

    /** The next token as a name, with or without backquotes. */
    public String name() {
        StatementToken token = next();
        if (!token.isName()) {
            throw refusalAt(token);
        }
        return token.text();
    }

    /** The next token as a whole number. */
    public long number() {
        StatementToken token = next();
        if (token.kind() != StatementToken.Kind.NUMBER
                || token.text().contains(".")
                || token.text().length() > 18) {
            throw refusalAt(token);
        }
        return Long.parseLong(token.text());
    }

    /** Reads all remaining tokens. */
    public void skipRest() {
        next = tokens.size() - 1;
    }

    /** The next part of the statement, for messages. */
    public String nextText() {
        String rest = sql.substring(Math.min(sql.length(), peek().start()));
        return rest.length() > MAX_SHOWN ? rest.substring(0, MAX_SHOWN) : rest;
    }

    /** An error that contains the next part of the statement. */
    public SqlRefusal refusal() {
        return refusalAt(peek());
    }

    private SqlRefusal refusalAt(StatementToken token) {
        String rest = sql.substring(Math.min(sql.length(), token.start()));
        return SqlRefusal.syntax(rest.length() > MAX_SHOWN ? rest.substring(0, MAX_SHOWN) : rest);
    }

    /** Offset after the last token read; 0 before the first. */
    public int lastEnd() {
        return next == 0 ? 0 : tokens.get(next - 1).end();
    }

    /** The text from an offset to the end of the last token read. */
    public String written(int start) {
        int end = next == 0 ? start : tokens.get(next - 1).end();
        return sql.substring(Math.min(start, end), end);
    }
}
