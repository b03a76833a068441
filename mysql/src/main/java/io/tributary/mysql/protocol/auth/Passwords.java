package io.tributary.mysql.protocol.auth;

/** Makes and reads what is kept of passwords. */
public final class Passwords {
    private Passwords() {}

    /** What a users file keeps of a password; takes some 10 ms. */
    public static PasswordHash salted(String password) {
        return SaltedDigest.of(password);
    }

    /** What is kept in memory of a password that stands in clear text elsewhere: a proof is always enough. */
    public static PasswordHash ofText(AuthMethod method, String password) {
        return PlainDigest.of(method, password);
    }

    /**
     * Reads {@link PasswordHash#text()} of {@link #salted}.
     *
     * @throws IllegalArgumentException with what was expected, never with the text
     */
    public static PasswordHash parseSalted(String text) {
        return SaltedDigest.parse(text);
    }

    /**
     * Reads the text of a native password, as MySQL writes it too.
     *
     * @throws IllegalArgumentException with what was expected, never with the text
     */
    public static PasswordHash parseNative(String text) {
        return PlainDigest.parseNative(text);
    }
}
