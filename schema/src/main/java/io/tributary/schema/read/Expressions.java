package io.tributary.schema.read;

import io.tributary.schema.sql.SqlNames;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Finds and renames columns in expressions of canonical form, where their names are in backquotes and lower case. */
final class Expressions {
    private Expressions() {}

    /** The columns in an expression. */
    static Set<String> columns(String expression) {
        Set<String> columns = new LinkedHashSet<>();
        renamed(expression, Map.of(), columns);
        return columns;
    }

    /** The expression with renamed columns; keys in lower case. */
    static String renamed(String expression, Map<String, String> names) {
        return renamed(expression, names, new LinkedHashSet<>());
    }

    private static String renamed(String expression, Map<String, String> names, Set<String> found) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < expression.length()) {
            char c = expression.charAt(at);
            if (c != '`' && c != '\'') {
                text.append(c);
                at++;
                continue;
            }
            int end = after(expression, at);
            String quoted = expression.substring(at, end);
            if (c == '`') {
                String column = quoted.substring(1, quoted.length() - 1).replace("``", "`");
                found.add(column);
                String name = names.getOrDefault(column, column).toLowerCase(Locale.ROOT);
                quoted = SqlNames.name(name);
            }
            text.append(quoted);
            at = end;
        }
        return text.toString();
    }

    /** The offset after the quote that ends the quoted text that begins there. */
    private static int after(String text, int from) {
        char quote = text.charAt(from);
        int at = from + 1;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\' && quote == '\'') {
                at++;
            } else if (c == quote) {
                if (at < text.length() && text.charAt(at) == quote) {
                    at++;
                } else {
                    return at;
                }
            }
        }
        return text.length();
    }
}
