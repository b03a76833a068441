package io.tributary.mysql.protocol.auth;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** hash(hash(password)) without a salt: the result of {@link AuthMethod#digest}, against which proofs are checked. */
final class PlainDigest implements PasswordHash {
    private static final Pattern NATIVE = Pattern.compile("\\*[0-9A-Fa-f]{40}");

    private final AuthMethod method;
    private final byte[] digest;
    private final boolean askForPassword;

    /** @param digest an empty array for the empty password */
    PlainDigest(AuthMethod method, byte[] digest, boolean askForPassword) {
        this.method = method;
        this.digest = digest.clone();
        this.askForPassword = askForPassword;
    }

    static PlainDigest of(AuthMethod method, String password) {
        return new PlainDigest(method, password.isEmpty() ? new byte[0] : method.digest(password), false);
    }

    /** Parses MySQL's text form of a native password: an asterisk and 40 hexadecimal digits. */
    static PlainDigest parseNative(String text) {
        if (!NATIVE.matcher(text).matches()) {
            throw new IllegalArgumentException("expected an asterisk and 40 hexadecimal digits, as MySQL writes them");
        }
        byte[] digest = HexFormat.of().parseHex(text.substring(1).toLowerCase(Locale.ROOT));
        return new PlainDigest(AuthMethod.MYSQL_NATIVE_PASSWORD, digest, false);
    }

    PlainDigest askingForPassword() {
        return new PlainDigest(method, digest, true);
    }

    @Override
    public Optional<byte[]> digest() {
        return askForPassword ? Optional.empty() : Optional.of(digest);
    }

    @Override
    public boolean accepts(String password) {
        return isOpen() ? password.isEmpty() : MessageDigest.isEqual(method.digest(password), digest);
    }

    @Override
    public boolean isOpen() {
        return digest.length == 0;
    }

    @Override
    public String text() {
        return "*" + HexFormat.of().withUpperCase().formatHex(digest);
    }
}
