package io.tributary.dumper.users;

import io.tributary.dumper.filter.TableFilter;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import java.util.Optional;

/**
 * A user of the users file.
 *
 * @param password for {@code caching_sha2_password}
 * @param nativePassword for {@code mysql_native_password}, if the user may log in with it
 * @param certificate a name that the client's certificate must have
 * @param tables the tables whose rows and definitions the user may read
 */
public record UserEntry(
        String name,
        Optional<PasswordHash> password,
        Optional<PasswordHash> nativePassword,
        Optional<CertificateName> certificate,
        Grant grant,
        TableFilter tables) {
    private static final int LONGEST_NAME = 128;

    public UserEntry {
        if (name.isEmpty() || name.length() > LONGEST_NAME || !isPlain(name)) {
            throw new IllegalArgumentException("expected a user name of 1 to " + LONGEST_NAME
                    + " characters, no control characters, no blanks around it and no ']'");
        }
        if (password.isEmpty() && nativePassword.isEmpty() && certificate.isEmpty()) {
            throw new IllegalArgumentException("expected a password or a certificate for user " + name);
        }
    }

    /** A user that may read all tables. */
    public UserEntry(
            String name,
            Optional<PasswordHash> password,
            Optional<PasswordHash> nativePassword,
            Optional<CertificateName> certificate,
            Grant grant) {
        this(name, password, nativePassword, certificate, grant, TableFilter.ALL);
    }

    private static boolean isPlain(String name) {
        return name.equals(name.strip()) && name.chars().noneMatch(c -> Character.isISOControl(c) || c == ']');
    }

    /** The account for logins. */
    Account account() {
        return Account.of(name, password, nativePassword, certificate, grant);
    }

    /** A copy with other passwords. */
    public UserEntry withPasswords(PasswordHash other, Optional<PasswordHash> otherNative) {
        return new UserEntry(name, Optional.of(other), otherNative, certificate, grant, tables);
    }

    /** A copy with another certificate or none, and with other rights. */
    public UserEntry with(Optional<CertificateName> otherCertificate, Grant otherGrant, TableFilter otherTables) {
        return new UserEntry(name, password, nativePassword, otherCertificate, otherGrant, otherTables);
    }

    /** A copy with the password objects of another entry. */
    UserEntry withPasswordsOf(UserEntry other) {
        return new UserEntry(name, other.password, other.nativePassword, certificate, grant, tables);
    }

    /** Whether the passwords are the same as those of another entry, whatever the grants. */
    boolean logsInAs(UserEntry other) {
        return texts(password).equals(texts(other.password))
                && texts(nativePassword).equals(texts(other.nativePassword));
    }

    private static Optional<String> texts(Optional<PasswordHash> hash) {
        return hash.map(PasswordHash::text);
    }
}
