package io.tributary.dumper.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a statement into tokens. Comments are passed over, but what stands in a versioned comment ({@code /*!80000 ... *}{@code /}) is
 * read as MySQL reads it (MySQL manual, "Comments", "Literal Values", "User-Defined Variables").
 */
final class SqlLexer {
    private final String sql;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private SqlLexer(String sql) {
        this.sql = sql;
    }

    /** @return the tokens, the last of kind END; trailing semicolons are left out */
    static List<SqlToken> tokens(String sql) {
        SqlLexer lexer = new SqlLexer(sql);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (skipBlank()) {
            int start = at;
            char c = sql.charAt(at);
            if (c == '\'' || c == '"') {
                String text = quoted(c);
                add(SqlToken.Kind.STRING, text, start);
            } else if (c == '`') {
                String text = quoted(c);
                add(SqlToken.Kind.QUOTED_NAME, text, start);
            } else if (c == '@') {
                variable(start);
            } else if (isDigit(c)) {
                word();
                add(isNumber(start) ? SqlToken.Kind.NUMBER : SqlToken.Kind.WORD, sql.substring(start, at), start);
            } else if (isWord(c)) {
                word();
                add(SqlToken.Kind.WORD, sql.substring(start, at), start);
            } else {
                at++;
                add(SqlToken.Kind.SYMBOL, sql.substring(start, at), start);
            }
        }
        while (!tokens.isEmpty() && tokens.get(tokens.size() - 1).is(";")) {
            tokens.remove(tokens.size() - 1);
        }
        add(SqlToken.Kind.END, "", sql.length());
    }

    private void add(SqlToken.Kind kind, String text, int start) {
        tokens.add(new SqlToken(kind, text, start, at));
    }

    /** Goes to the next token; false at the end. */
    private boolean skipBlank() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#' || sql.startsWith("-- ", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end + 1;
            } else if (sql.startsWith("/*!", at)) {
                at += 3;
                while (at < sql.length() && isDigit(sql.charAt(at))) {
                    at++;
                }
            } else if (sql.startsWith("*/", at)) {
                at += 2; // the end of a versioned comment whose inside was read
            } else if (sql.startsWith("/*", at)) {
                int end = sql.indexOf("*/", at + 2);
                at = end < 0 ? sql.length() : end + 2;
            } else {
                return true;
            }
        }
        return false;
    }

    private void variable(int start) {
        boolean system = sql.startsWith("@@", at);
        at += system ? 2 : 1;
        if (at < sql.length() && (sql.charAt(at) == '\'' || sql.charAt(at) == '"' || sql.charAt(at) == '`')) {
            String name = quoted(sql.charAt(at));
            add(
                    system ? SqlToken.Kind.SYSTEM_VARIABLE : SqlToken.Kind.USER_VARIABLE,
                    (system ? "@@" : "@") + name,
                    start);
            return;
        }
        StringBuilder name = new StringBuilder(system ? "@@" : "@");
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (isWord(c) || c == '.') {
                name.append(c);
                at++;
            } else if (c == '`') {
                name.append(quoted('`'));
            } else {
                break;
            }
        }
        add(system ? SqlToken.Kind.SYSTEM_VARIABLE : SqlToken.Kind.USER_VARIABLE, name.toString(), start);
    }

    private String quoted(char quote) {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < sql.length()) {
            char c = sql.charAt(at++);
            if (c == '\\' && quote != '`' && at < sql.length()) {
                char next = sql.charAt(at++);
                if (next == '%' || next == '_') { // kept for LIKE, as MySQL does
                    text.append('\\');
                }
                text.append(unescaped(next));
            } else if (c != quote) {
                text.append(c);
            } else if (at < sql.length() && sql.charAt(at) == quote) {
                text.append(quote);
                at++;
            } else {
                return text.toString();
            }
        }
        throw new SqlRefusal(1064, "42000", "a quoted text does not end");
    }

    private static char unescaped(char c) {
        return switch (c) {
            case '0' -> '\0';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> c;
        };
    }

    private void word() {
        while (at < sql.length() && isWord(sql.charAt(at))) {
            at++;
        }
        boolean decimals = at + 1 < sql.length() && sql.charAt(at) == '.' && isDigit(sql.charAt(at + 1));
        if (decimals && isDigit(sql.charAt(at - 1))) {
            at++;
            while (at < sql.length() && isDigit(sql.charAt(at))) {
                at++;
            }
        }
    }

    private boolean isNumber(int start) {
        for (int i = start; i < at; i++) {
            if (!isDigit(sql.charAt(i)) && sql.charAt(i) != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(char c) {
        return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80;
    }
}
