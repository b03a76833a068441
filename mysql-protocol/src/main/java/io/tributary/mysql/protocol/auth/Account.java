package io.tributary.mysql.protocol.auth;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A user that may log in to the server side: how the login is checked, and what the user may do. */
public final class Account {
    private final String user;
    private final Map<AuthMethod, PasswordHash> passwords;
    private final Optional<CertificateName> certificate;
    private final Grant grant;

    private Account(
            String user, Map<AuthMethod, PasswordHash> passwords, Optional<CertificateName> certificate, Grant grant) {
        this.user = Objects.requireNonNull(user);
        this.passwords = Collections.unmodifiableMap(new LinkedHashMap<>(passwords));
        this.certificate = Objects.requireNonNull(certificate);
        this.grant = Objects.requireNonNull(grant);
    }

    /** An account with a plaintext password and all rights; only its digest is kept. */
    public static Account withPassword(String user, AuthMethod method, String password) {
        return new Account(user, Map.of(method, PlainDigest.of(method, password)), Optional.empty(), Grant.ALL);
    }

    /** An account with {@link AuthMethod#digest}, hash(hash(password)); an empty array means the empty password. */
    public static Account withDigest(String user, AuthMethod method, byte[] digest) {
        return new Account(user, Map.of(method, new PlainDigest(method, digest, false)), Optional.empty(), Grant.ALL);
    }

    /**
     * An account from its stored parts.
     *
     * @param password for {@code caching_sha2_password}
     * @param nativePassword for clients that begin with {@code mysql_native_password}, and for all clients if it is the only one
     * @param certificate a name that the client's certificate must have; without a password the certificate alone is sufficient
     */
    public static Account of(
            String user,
            Optional<PasswordHash> password,
            Optional<PasswordHash> nativePassword,
            Optional<CertificateName> certificate,
            Grant grant) {
        Map<AuthMethod, PasswordHash> passwords = new LinkedHashMap<>();
        password.ifPresent(hash -> passwords.put(AuthMethod.CACHING_SHA2_PASSWORD, hash));
        nativePassword.ifPresent(hash -> passwords.put(AuthMethod.MYSQL_NATIVE_PASSWORD, hash));
        if (passwords.isEmpty() && certificate.isEmpty()) {
            throw new IllegalArgumentException("expected a password or a certificate for user " + user);
        }
        return new Account(user, passwords, certificate, grant);
    }

    /** An account without a valid login that looks like any other account to clients, for users that do not exist. */
    public static Account ofNobody(byte[] salt) {
        Map<AuthMethod, PasswordHash> passwords =
                Map.of(AuthMethod.CACHING_SHA2_PASSWORD, SaltedDigest.ofNothing(salt));
        return new Account("", passwords, Optional.empty(), new Grant(Set.of(), List.of(), 0, 0));
    }

    /**
     * The same account, but {@code caching_sha2_password} asks for the password itself (over TLS, or encrypted with the
     * server's RSA key) instead of a proof, as a MySQL server does at the first login after its start.
     */
    public Account askingForPassword() {
        Map<AuthMethod, PasswordHash> asking = new LinkedHashMap<>(passwords);
        asking.replaceAll((method, hash) -> hash instanceof PlainDigest plain ? plain.askingForPassword() : hash);
        return new Account(user, asking, certificate, grant);
    }

    /** The same account with another grant. */
    public Account with(Grant other) {
        return new Account(user, passwords, certificate, other);
    }

    /** The user name. */
    public String user() {
        return user;
    }

    /** The method to which a client is switched if it begins with one that the account does not have. */
    public AuthMethod method() {
        return passwords.isEmpty()
                ? AuthMethod.CACHING_SHA2_PASSWORD
                : passwords.keySet().iterator().next();
    }

    /** The stored password hash for a method. */
    public Optional<PasswordHash> password(AuthMethod method) {
        return Optional.ofNullable(passwords.get(method));
    }

    /** Whether the certificate alone is sufficient. */
    public boolean needsNoPassword() {
        return passwords.isEmpty();
    }

    /** The rights and limits. */
    public Grant grant() {
        return grant;
    }

    /**
     * Whether a client may try to log in.
     *
     * @param verified the client's certificate, signed by a trusted CA; empty if it has presented none
     */
    public boolean admits(InetAddress address, Optional<X509Certificate> verified) {
        return grant.admits(address)
                && (certificate.isEmpty()
                        || verified.filter(certificate.get()::isOf).isPresent());
    }

    @Override
    public String toString() {
        return "Account[" + user + ", " + method().pluginName() + "]";
    }
}
