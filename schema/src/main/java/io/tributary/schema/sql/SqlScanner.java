package io.tributary.schema.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits an SQL text into tokens (MySQL manual, "Language Structure"). Comments are skipped, except version comments: the text
 * in {@code /*!80000 ... *}{@code /} is read like other text. It never fails: an unterminated quote or comment ends
 * with the text.
 */
public final class SqlScanner {
    private final String text;
    private final boolean ansiQuotes;
    private final boolean backslashEscapes;
    private final List<SqlToken> tokens = new ArrayList<>();
    private final int version;
    private final boolean mariadb;
    private boolean inVersionComment;
    private boolean isComplete = true;
    private int at;

    private SqlScanner(String text, SqlMode mode, int version, boolean mariadb) {
        this.text = text;
        this.version = version;
        this.mariadb = mariadb;
        this.ansiQuotes = mode.ansiQuotes();
        this.backslashEscapes = mode.backslashEscapes();
    }

    public static SqlTokens scan(String text, SqlMode mode) {
        return scan(text, mode, Integer.MAX_VALUE, false);
    }

    /**
     * As {@link #scan(String, SqlMode)}, as a server reads it: version comments of later versions and of the other product are
     * skipped.
     *
     * @param version such as 80031 or 101100
     */
    public static SqlTokens scan(String text, SqlMode mode, int version, boolean mariadb) {
        SqlScanner scanner = new SqlScanner(text, mode, version, mariadb);
        while (scanner.at < text.length()) {
            scanner.next();
        }
        List<SqlToken> tokens = scanner.tokens;
        while (!tokens.isEmpty() && tokens.get(tokens.size() - 1).isSign(';')) {
            tokens.remove(tokens.size() - 1);
        }
        return new SqlTokens(text, List.copyOf(tokens), scanner.isComplete);
    }

    private void next() {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
        } else if (c == '#' || (c == '-' && isLineComment())) {
            skipLine();
        } else if (c == '/' && charAt(at + 1) == '*') {
            openComment();
        } else if (c == '*' && charAt(at + 1) == '/' && inVersionComment) {
            inVersionComment = false;
            at += 2;
        } else if (c == '`' || (c == '"' && ansiQuotes)) {
            quoted(c, SqlToken.Kind.NAME);
        } else if (c == '\'' || c == '"') {
            quoted(c, SqlToken.Kind.LITERAL);
        } else if (isWordPart(c)) {
            word();
        } else {
            tokens.add(new SqlToken(SqlToken.Kind.SIGN, at, at + 1, String.valueOf(c)));
            at++;
        }
    }

    private boolean isLineComment() {
        return charAt(at + 1) == '-' && (at + 2 >= text.length() || charAt(at + 2) <= ' ');
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
    }

    private void openComment() {
        boolean ofMariadb = mariadb && charAt(at + 2) == 'M' && charAt(at + 3) == '!';
        if (charAt(at + 2) == '!' || ofMariadb) {
            int from = at + (ofMariadb ? 4 : 3);
            int to = from;
            while (to - from < 6 && charAt(to) >= '0' && charAt(to) <= '9') {
                to++;
            }
            if (to == from || isRead(Integer.parseInt(text, from, to, 10))) {
                inVersionComment = true;
                at = to;
                return;
            }
        }
        int end = text.indexOf("*/", at + 2);
        at = end < 0 ? text.length() : end + 2;
    }

    /** MariaDB skips comments for MySQL only. */
    private boolean isRead(int commentVersion) {
        boolean ofMysqlAlone = mariadb && commentVersion >= 50700 && commentVersion <= 99999;
        return commentVersion <= version && !ofMysqlAlone;
    }

    private void quoted(char quote, SqlToken.Kind kind) {
        int start = at++;
        StringBuilder value = new StringBuilder();
        boolean ends = false;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                if (charAt(at) != quote) {
                    ends = true;
                    break;
                }
                at++;
            } else if (c == '\\' && kind == SqlToken.Kind.LITERAL && backslashEscapes && at < text.length()) {
                escaped(value, text.charAt(at++));
                continue;
            }
            value.append(c);
        }
        isComplete &= ends;
        tokens.add(new SqlToken(kind, start, at, value.toString()));
    }

    /** The meaning of a backslash and this character (MySQL manual, "String Literals"). */
    private static void escaped(StringBuilder value, char c) {
        switch (c) {
            case '0' -> value.append('\0');
            case 'b' -> value.append('\b');
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case 'Z' -> value.append((char) 26);
            case '%', '_' -> value.append('\\').append(c);
            default -> value.append(c);
        }
    }

    private void word() {
        int start = at;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        tokens.add(new SqlToken(SqlToken.Kind.WORD, start, at, text.substring(start, at)));
    }

    private static boolean isWordPart(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '$'
                || c >= 0x80;
    }

    /** NUL after the end. */
    private char charAt(int index) {
        return index < text.length() ? text.charAt(index) : '\0';
    }
}
