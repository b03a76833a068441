package io.tributary.extractor.definition;

import java.util.Collection;
import java.util.stream.Collectors;

/** The text of names and literals in statements. */
final class SqlWords {
    private SqlWords() {}

    /** A name in backticks. */
    static String name(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** A literal as SHOW CREATE TABLE writes it. */
    static String literal(String value) {
        StringBuilder out = new StringBuilder("'");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\'' -> out.append("''");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\0' -> out.append("\\0");
                default -> out.append(c);
            }
        }
        return out.append('\'').toString();
    }

    /** A list of literals for IN. */
    static String in(Collection<String> values) {
        return values.stream().map(SqlWords::literal).collect(Collectors.joining(", "));
    }

    /** The plain text of an expression of information_schema, which shows it escaped like the inside of a literal. */
    static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        boolean isEscaped = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isEscaped) {
                isEscaped = c == '\\';
                if (!isEscaped) {
                    out.append(c);
                }
                continue;
            }
            isEscaped = false;
            switch (c) {
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'b' -> out.append('\b');
                case '0' -> out.append('\0');
                case 'Z' -> out.append('\u001a');
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /** Whether information_schema can show the expression: it damages characters that are not ASCII. */
    static boolean isPlain(String expression) {
        return expression.chars().allMatch(c -> c < 0x80);
    }
}
