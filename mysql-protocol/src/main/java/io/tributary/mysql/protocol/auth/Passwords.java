package io.tributary.mysql.protocol.auth;

/** Creates and parses stored forms of passwords. */
public final class Passwords {
    private Passwords() {}

    /** The form of a password in a users file; takes some 10 ms. */
    public static PasswordHash salted(String password) {
        return SaltedDigest.of(password);
    }

    /** The form in memory of a password that is configured in plaintext: a proof is always sufficient. */
    public static PasswordHash ofText(AuthMethod method, String password) {
        return PlainDigest.of(method, password);
    }

    /**
     * Parses {@link PasswordHash#text()} of {@link #salted}.
     *
     * @throws IllegalArgumentException with what was expected; it never contains the text
     */
    public static PasswordHash parseSalted(String text) {
        return SaltedDigest.parse(text);
    }

    /**
     * Parses the text form of a native password, which is also MySQL's form.
     *
     * @throws IllegalArgumentException with what was expected; it never contains the text
     */
    public static PasswordHash parseNative(String text) {
        return PlainDigest.parseNative(text);
    }
}
