package io.tributary.serve.sql;

import java.util.Locale;

/**
 * One token of a statement.
 *
 * @param kind its kind
 * @param text its text: a word as written, a string without quotes, a variable with its at-signs
 * @param start offset of its first character in the statement
 * @param end offset after its last character
 */
public record StatementToken(Kind kind, String text, int start, int end) {
    /** Kinds of tokens. */
    public enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        /** {@code @name} */
        USER_VARIABLE,
        /** {@code @@name}, {@code @@global.name}, {@code @@session.name} */
        SYSTEM_VARIABLE,
        SYMBOL,
        END
    }

    /** Whether it is this word or symbol, in any case; false for a quoted name. */
    public boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
    }

    /** Whether it can be a name: a word, or a name in backquotes. */
    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }

    public String upper() {
        return text.toUpperCase(Locale.ROOT);
    }
}
