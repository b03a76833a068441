package io.tributary.common.gtid;

import java.util.Locale;
import java.util.UUID;

/** A cursor over GTID text: it skips white space, and each error names what was expected and where. */
final class GtidText {
    private static final int UUID_LENGTH = 36;

    private final String text;
    private int at;

    GtidText(String text) {
        this.text = text;
        skipSpace();
    }

    boolean atEnd() {
        return at == text.length();
    }

    boolean atDigit() {
        return !atEnd() && isDigit(text.charAt(at));
    }

    boolean accept(char c) {
        if (atEnd() || text.charAt(at) != c) {
            return false;
        }
        at++;
        skipSpace();
        return true;
    }

    void expect(char c) {
        if (!accept(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    void expectEnd() {
        if (!atEnd()) {
            throw unexpected("the end");
        }
    }

    UUID uuid() {
        int end = Math.min(text.length(), at + UUID_LENGTH);
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            boolean fits = at + i < end && (dash ? text.charAt(at + i) == '-' : isHex(text.charAt(at + i)));
            if (!fits) {
                throw unexpected("a UUID (8-4-4-4-12 hexadecimal digits)");
            }
        }
        UUID uuid = UUID.fromString(text.substring(at, end));
        at = end;
        skipSpace();
        return uuid;
    }

    String tag() {
        int start = at;
        while (!atEnd() && (isLetter(text.charAt(at)) || (at > start && isDigit(text.charAt(at))))) {
            at++;
        }
        if (at == start || at - start > Sid.MAX_TAG_LENGTH) {
            at = start;
            throw unexpected("a tag of up to 32 letters, digits and underscores, no digit first, or a number");
        }
        String tag = text.substring(start, at).toLowerCase(Locale.ROOT);
        skipSpace();
        return tag;
    }

    /** A number of 1..2^63-2. */
    long gno() {
        long value = number();
        if (value < Gtid.MIN_GNO) {
            throw unexpected("a transaction number of 1..2^63-2 before this");
        }
        return value;
    }

    /** A number of 0..2^63-2. */
    long number() {
        int start = at;
        long value = 0;
        while (atDigit()) {
            int digit = text.charAt(at) - '0';
            if (value > (Gtid.MAX_GNO - digit) / 10) {
                at = start;
                throw unexpected("a transaction number of 1..2^63-2");
            }
            value = value * 10 + digit;
            at++;
        }
        if (at == start) {
            throw unexpected("a transaction number of 1..2^63-2");
        }
        skipSpace();
        return value;
    }

    IllegalArgumentException unexpected(String expected) {
        int end = Math.min(text.length(), at + 40);
        String found = atEnd() ? "the end" : "'" + text.substring(at, end) + "'";
        return new IllegalArgumentException(
                "GTID text: expected " + expected + " at character " + at + ", found " + found);
    }

    private void skipSpace() {
        while (!atEnd() && isSpace(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isHex(char c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
