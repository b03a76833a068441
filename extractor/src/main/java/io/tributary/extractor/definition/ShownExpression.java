package io.tributary.extractor.definition;

/** The expressions of columns, keys and checks that information_schema shows. */
final class ShownExpression {
    private ShownExpression() {}

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
