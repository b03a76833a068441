package io.tributary.mysql.protocol.auth;

import java.security.MessageDigest;
import java.util.Objects;

/** A user that may log in to the server side: the method and the digest that the password is checked against. */
public final class Account {
    private final String user;
    private final AuthMethod method;
    private final byte[] digest;
    private final boolean fast;

    private Account(String user, AuthMethod method, byte[] digest, boolean fast) {
        this.user = Objects.requireNonNull(user);
        this.method = Objects.requireNonNull(method);
        this.digest = Objects.requireNonNull(digest);
        this.fast = fast;
    }

    /** An account with a password in clear text; it is not kept, only its digest is. */
    public static Account withPassword(String user, AuthMethod method, String password) {
        return new Account(user, method, password.isEmpty() ? new byte[0] : method.digest(password), true);
    }

    /** An account with {@link AuthMethod#digest}, hash(hash(password)); an empty array means the empty password. */
    public static Account withDigest(String user, AuthMethod method, byte[] digest) {
        return new Account(user, method, digest.clone(), true);
    }

    /**
     * The same account, but {@code caching_sha2_password} asks for the password itself (over TLS, or encrypted with the
     * server's RSA key) in place of a proof, as a MySQL server does at the first login after its start.
     */
    public Account askingForPassword() {
        return new Account(user, method, digest, false);
    }

    public String user() {
        return user;
    }

    public AuthMethod method() {
        return method;
    }

    /** Whether the password is empty. */
    public boolean isOpen() {
        return digest.length == 0;
    }

    /** Whether a proof is enough. */
    public boolean isFast() {
        return fast;
    }

    /** Whether {@code proof}, made with {@code nonce}, is right. */
    public boolean accepts(byte[] proof, byte[] nonce) {
        return isOpen() ? proof.length == 0 : method.proves(proof, nonce, digest);
    }

    /** Whether the password is right. */
    public boolean acceptsPassword(String password) {
        return isOpen() ? password.isEmpty() : MessageDigest.isEqual(method.digest(password), digest);
    }

    @Override
    public String toString() {
        return "Account[" + user + ", " + method.pluginName() + "]";
    }
}
