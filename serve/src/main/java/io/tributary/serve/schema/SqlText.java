package io.tributary.serve.schema;

import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.sql.StatementToken;
import java.util.List;

/** Parts of statements for a shard with a known sql_mode: no ANSI_QUOTES, backslash escapes. */
public final class SqlText {
    private SqlText() {}

    /** A text as a literal, also as a pattern of LIKE. */
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
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                default -> quoted.append(c);
            }
        }
        return quoted.append('\'').toString();
    }

    /** One token in the form that the shard reads. */
    static String token(StatementToken token) {
        return switch (token.kind()) {
            case STRING -> literal(token.text());
            case QUOTED_NAME -> SqlNames.name(token.text());
            default -> token.text();
        };
    }

    /**
     * Tokens, with a space between those that were separated, and between those that MySQL would read as one: two minus signs begin a comment, and
     * two literals are a literal with a quote.
     */
    public static String tokens(List<StatementToken> tokens) {
        StringBuilder text = new StringBuilder();
        StatementToken before = null;
        for (StatementToken token : tokens) {
            if (token.kind() != StatementToken.Kind.END) {
                boolean isApart = before != null && (token.start() > before.end() || wouldJoin(before, token));
                text.append(isApart ? " " : "").append(token(token));
                before = token;
            }
        }
        return text.toString();
    }

    private static boolean wouldJoin(StatementToken one, StatementToken next) {
        boolean isQuoted = one.kind() == StatementToken.Kind.STRING || one.kind() == StatementToken.Kind.QUOTED_NAME;
        return one.is("-") && next.is("-") || isQuoted && next.kind() == one.kind();
    }
}
