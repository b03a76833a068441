package io.tributary.schema.read;

import io.tributary.mysql.charset.Collations;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A constant in a statement.
 *
 * @param kind its form
 * @param text the string's value; the number; for bytes a character 0..255 for each
 * @param charset of bytes with an introducer; otherwise ""
 */
record Constant(Kind kind, String text, String charset) {
    enum Kind {
        STRING,
        NUMBER,
        BYTES
    }

    /** Reads the constant here. */
    static Constant read(Cursor cursor) {
        boolean negative = cursor.acceptSign('-');
        if (!negative) {
            cursor.acceptSign('+');
        }
        if (cursor.isLiteral()) {
            return new Constant(Kind.STRING, strings(cursor), "");
        }
        String word = cursor.word();
        if (word.equals("TRUE") || word.equals("FALSE")) {
            cursor.skip();
            return new Constant(Kind.NUMBER, word.equals("TRUE") ? "1" : "0", "");
        }
        if (isIntroducer(word)) {
            cursor.skip();
            Constant value = read(cursor);
            String charset = word.substring(1).toLowerCase(Locale.ROOT);
            return value.kind == Kind.BYTES ? new Constant(Kind.BYTES, value.text, charset) : value;
        }
        if (cursor.isLiteralAhead()) {
            return prefixed(cursor, word);
        }
        if (cursor.isLiteralAfterWord() && (word.equals("DATE") || word.equals("TIME") || word.equals("TIMESTAMP"))) {
            cursor.skip();
            return new Constant(Kind.STRING, strings(cursor), "");
        }
        if (word.startsWith("0X")) {
            return hex(cursor.next().value().substring(2));
        }
        if (word.startsWith("0B")) {
            return hex(hexOfBits(cursor.next().value().substring(2)));
        }
        if (!cursor.isSign('.') && (word.isEmpty() || !Character.isDigit(word.charAt(0)))) {
            throw new UnreadableStatementException("expected a constant at " + cursor.rest());
        }
        return new Constant(Kind.NUMBER, (negative ? "-" : "") + NumberText.read(cursor), "");
    }

    private static Constant prefixed(Cursor cursor, String word) {
        cursor.skip();
        return switch (word) {
            case "N", "DATE", "TIME", "TIMESTAMP" -> new Constant(Kind.STRING, strings(cursor), "");
            case "X" -> hex(cursor.literal());
            case "B" -> hex(hexOfBits(cursor.literal()));
            default -> throw new UnreadableStatementException("a constant of " + word);
        };
    }

    /** Adjacent strings are one string. */
    private static String strings(Cursor cursor) {
        StringBuilder value = new StringBuilder(cursor.literal());
        while (cursor.isLiteral()) {
            value.append(cursor.literal());
        }
        return value.toString();
    }

    private static Constant hex(String digits) {
        try {
            byte[] bytes = HexFormat.of().parseHex(digits.length() % 2 == 0 ? digits : "0" + digits);
            return new Constant(Kind.BYTES, new String(bytes, StandardCharsets.ISO_8859_1), "");
        } catch (IllegalArgumentException e) {
            throw new UnreadableStatementException("not hexadecimal digits: " + digits);
        }
    }

    /** The hexadecimal digits, an even number, for binary digits. */
    static String hexOfBits(String bits) {
        if (!bits.matches("[01]+")) {
            throw new UnreadableStatementException("not binary digits: " + bits);
        }
        String digits = new BigInteger(bits, 2).toString(16);
        int bytes = (bits.length() + 7) / 8;
        return "0".repeat(Math.max(0, 2 * bytes - digits.length())) + digits;
    }

    /** Whether a word is a character set introducer of a constant, such as {@code _latin1}. */
    static boolean isIntroducer(String word) {
        return word.startsWith("_") && Collations.ofCharset(word.substring(1)).isPresent();
    }

    /** Its bytes as a big-endian integer. */
    BigInteger asInteger() {
        return new BigInteger(1, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Its characters in a column of this character set. */
    String asText(String columnCharset) {
        if (kind != Kind.BYTES) {
            return text;
        }
        String own = charset.isEmpty() ? columnCharset : charset;
        Charset java = Collations.charset(own.equals("utf8") ? "utf8mb3" : own).orElse(StandardCharsets.ISO_8859_1);
        int unit = own.equals("utf32") ? 4 : own.equals("ucs2") || own.startsWith("utf16") ? 2 : 1;
        String whole = "\0".repeat((unit - text.length() % unit) % unit) + text;
        return new String(whole.getBytes(StandardCharsets.ISO_8859_1), java);
    }

    /** Its bytes, a character 0..255 for each. */
    String asBytes() {
        return kind == Kind.BYTES
                ? text
                : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
