package io.tributary.schema.read;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Columns in expressions of canonical form, where they stand in backquotes and small letters. */
final class Expressions {
    private Expressions() {}

    /** The columns that an expression names. */
    static Set<String> columns(String expression) {
        Set<String> columns = new LinkedHashSet<>();
        renamed(expression, Map.of(), columns);
        return columns;
    }

    /** The expression with columns renamed; keys in small letters. */
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
            int end = behind(expression, at);
            String quoted = expression.substring(at, end);
            if (c == '`') {
                String column = quoted.substring(1, quoted.length() - 1).replace("``", "`");
                found.add(column);
                String name = names.getOrDefault(column, column).toLowerCase(Locale.ROOT);
                quoted = "`" + name.replace("`", "``") + "`";
            }
            text.append(quoted);
            at = end;
        }
        return text.toString();
    }

    /** Behind the quote that ends what begins there. */
    private static int behind(String text, int from) {
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
