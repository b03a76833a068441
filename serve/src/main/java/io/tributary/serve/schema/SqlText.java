package io.tributary.serve.schema;

import io.tributary.serve.sql.StatementToken;
import java.util.List;

/** Parts of statements for a shard with a known sql_mode: no ANSI_QUOTES, backslash escapes. */
public final class SqlText {
    private SqlText() {}

    /** A name in backquotes. */
    public static String name(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** A text as a literal. */
    public static String literal(String text) {
        StringBuilder quoted = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // the scanner keeps the backslash before % and _, which LIKE needs
            boolean isKept =
                    c == '\\' && i + 1 < text.length() && (text.charAt(i + 1) == '%' || text.charAt(i + 1) == '_');
            switch (c) {
                case '\'' -> quoted.append("''");
                case '\\' -> quoted.append(isKept ? "\\" : "\\\\");
                case '\0' -> quoted.append("\\0");
                default -> quoted.append(c);
            }
        }
        return quoted.append('\'').toString();
    }

    /** One token in the form that the shard reads. */
    static String token(StatementToken token) {
        return switch (token.kind()) {
            case STRING -> literal(token.text());
            case QUOTED_NAME -> name(token.text());
            default -> token.text();
        };
    }

    /** Tokens, with a space between those that were separated. */
    public static String tokens(List<StatementToken> tokens) {
        StringBuilder text = new StringBuilder();
        int end = -1;
        for (StatementToken token : tokens) {
            if (token.kind() != StatementToken.Kind.END) {
                text.append(end >= 0 && token.start() > end ? " " : "").append(token(token));
                end = token.end();
            }
        }
        return text.toString();
    }
}
