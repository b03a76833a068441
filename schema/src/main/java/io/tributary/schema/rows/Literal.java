package io.tributary.schema.rows;

import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A literal of SQL (MySQL manual, "Literal Values").
 *
 * @param kind its kind
 * @param text for a string its value; for a number its text as MySQL prints it
 * @param bytes for a hexadecimal or bit literal
 */
record Literal(Kind kind, String text, byte[] bytes) {
    enum Kind {
        NULL,
        STRING,
        NUMBER,
        /** A hexadecimal or bit literal. */
        BYTES
    }

    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    private static final Pattern LEADING_NUMBER = Pattern.compile("\\s*(" + NUMBER.pattern() + ")\\s*");
    private static final Set<String> TEMPORAL = Set.of("DATE", "TIME", "TIMESTAMP");

    /** Null if the text is not a literal. */
    static Literal parse(String literal) {
        String text = literal.strip();
        if (NUMBER.matcher(text).matches()) {
            return number(text);
        }
        String upper = text.toUpperCase(Locale.ROOT);
        if (upper.equals("NULL")) {
            return new Literal(Kind.NULL, "", new byte[0]);
        }
        if (upper.equals("TRUE") || upper.equals("FALSE")) {
            return number(upper.equals("TRUE") ? "1" : "0");
        }
        if (upper.matches("0X[0-9A-F]+") && text.charAt(1) == 'x') {
            return hex(text.substring(2));
        }
        if (upper.matches("0B[01]+") && text.charAt(1) == 'b') {
            return bits(text.substring(2));
        }
        return quoted(SqlScanner.scan(text, SqlMode.DEFAULT));
    }

    private static Literal quoted(SqlTokens tokens) {
        int size = tokens.size();
        if (size == 0 || !tokens.isLiteral(size - 1)) {
            return null;
        }
        String value = tokens.get(size - 1).value();
        if (size == 1) {
            return string(value);
        }
        if (tokens.isLiteral(0)) {
            StringBuilder joined = new StringBuilder();
            for (SqlToken token : tokens.list()) {
                if (!token.isLiteral()) {
                    return null;
                }
                joined.append(token.value());
            }
            return string(joined.toString());
        }
        String word = tokens.word(0);
        if (size == 3 && word.startsWith("_") && (tokens.isWord(1, "X") || tokens.isWord(1, "B"))) {
            return tokens.isWord(1, "X") ? hex(value) : bits(value);
        }
        if (size != 2) {
            return null;
        }
        return switch (word) {
            case "X" -> hex(value);
            case "B" -> bits(value);
            default -> TEMPORAL.contains(word) || word.equals("N") || word.startsWith("_") ? string(value) : null;
        };
    }

    private static Literal string(String value) {
        return new Literal(Kind.STRING, value, new byte[0]);
    }

    private static Literal number(String text) {
        boolean real = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
        String printed = text.startsWith("+") ? text.substring(1) : text;
        if (!real && printed.startsWith(".")) {
            printed = "0" + printed;
        }
        return new Literal(Kind.NUMBER, real ? real(Double.parseDouble(text)) : printed, new byte[0]);
    }

    /** A whole number as MySQL prints a DOUBLE; other numbers unchanged. */
    private static String real(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }

    private static Literal hex(String digits) {
        String even = digits.length() % 2 == 0 ? digits : "0" + digits;
        return new Literal(Kind.BYTES, "", java.util.HexFormat.of().parseHex(even));
    }

    private static Literal bits(String digits) {
        BigInteger value = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits, 2);
        byte[] bytes = new byte[(digits.length() + 7) / 8];
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = value.byteValue();
            value = value.shiftRight(8);
        }
        return new Literal(Kind.BYTES, "", bytes);
    }

    /**
     * Its value as a number.
     *
     * @throws IllegalArgumentException if a string is not a number
     */
    BigDecimal number() {
        if (kind == Kind.BYTES) {
            return new BigDecimal(new BigInteger(1, bytes));
        }
        var matcher = LEADING_NUMBER.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a number");
        }
        return new BigDecimal(matcher.group(1));
    }
}
