package io.tributary.schema.sql;

import java.util.Locale;

/**
 * One token of an SQL text.
 *
 * @param kind its kind
 * @param start offset of its first character in the text
 * @param end offset after its last character
 * @param value the name without its quotes (NAME), the word as written (WORD), the sign (SIGN), the string's value (LITERAL)
 */
public record SqlToken(Kind kind, int start, int end, String value) {
    public enum Kind {
        /** A bare word: a keyword or an unquoted identifier. */
        WORD,
        /** A quoted identifier. */
        NAME,
        /** A string literal. */
        LITERAL,
        /** One other character. */
        SIGN
    }

    public boolean isWord(String word) {
        return kind == Kind.WORD && value.equalsIgnoreCase(word);
    }

    public boolean isSign(char sign) {
        return kind == Kind.SIGN && value.charAt(0) == sign;
    }

    public boolean isLiteral() {
        return kind == Kind.LITERAL;
    }

    /** The word in upper case; "" for anything else. */
    public String word() {
        return kind == Kind.WORD ? value.toUpperCase(Locale.ROOT) : "";
    }

    public boolean canBeName() {
        return kind == Kind.WORD || kind == Kind.NAME;
    }
}
