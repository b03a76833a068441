package io.tributary.serve.users;

import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.PasswordHash;
import java.util.Optional;

/**
 * What a user proves its identity with.
 *
 * @param password for {@code caching_sha2_password}
 * @param nativePassword for {@code mysql_native_password}, if the user may log in with it
 * @param certificate a name that the client's certificate must have
 */
public record LoginMethods(
        Optional<PasswordHash> password, Optional<PasswordHash> nativePassword, Optional<CertificateName> certificate) {

    /** Whether there is none: nobody can log in. */
    boolean isEmpty() {
        return password.isEmpty() && nativePassword.isEmpty() && certificate.isEmpty();
    }

    /** Whether the passwords are the same as others, whatever the certificate. */
    boolean hasPasswordsOf(LoginMethods other) {
        return texts(password).equals(texts(other.password))
                && texts(nativePassword).equals(texts(other.nativePassword));
    }

    private static Optional<String> texts(Optional<PasswordHash> hash) {
        return hash.map(PasswordHash::text);
    }
}
