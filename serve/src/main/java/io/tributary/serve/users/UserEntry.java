package io.tributary.serve.users;

import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.serve.filter.TableFilter;
import java.util.Optional;

/**
 * A user of the users file.
 *
 * @param tables the tables whose rows and definitions the user may read
 */
public record UserEntry(String name, LoginMethods login, Grant grant, TableFilter tables) {
    private static final int LONGEST_NAME = 128;

    public UserEntry {
        if (name.isEmpty() || name.length() > LONGEST_NAME || !isPlain(name)) {
            throw new IllegalArgumentException("expected a user name of 1 to " + LONGEST_NAME
                    + " characters, no control characters, no blanks around it and no ']'");
        }
        if (login.isEmpty()) {
            throw new IllegalArgumentException("expected a password or a certificate for user " + name);
        }
    }

    private static boolean isPlain(String name) {
        return name.equals(name.strip()) && name.chars().noneMatch(c -> Character.isISOControl(c) || c == ']');
    }

    /** The password for {@code caching_sha2_password}. */
    public Optional<PasswordHash> password() {
        return login.password();
    }

    /** The password for {@code mysql_native_password}. */
    public Optional<PasswordHash> nativePassword() {
        return login.nativePassword();
    }

    /** A name that the client's certificate must have. */
    public Optional<CertificateName> certificate() {
        return login.certificate();
    }

    /** The account for logins. */
    Account account() {
        return Account.of(name, password(), nativePassword(), certificate(), grant);
    }

    /** A copy with other passwords. */
    public UserEntry withPasswords(PasswordHash other, Optional<PasswordHash> otherNative) {
        return new UserEntry(name, new LoginMethods(Optional.of(other), otherNative, certificate()), grant, tables);
    }

    /** A copy with another certificate or none, and with other rights. */
    public UserEntry with(Optional<CertificateName> otherCertificate, Grant otherGrant, TableFilter otherTables) {
        LoginMethods others = new LoginMethods(password(), nativePassword(), otherCertificate);
        return new UserEntry(name, others, otherGrant, otherTables);
    }

    /** A copy with the password objects of another entry. */
    UserEntry withPasswordsOf(UserEntry other) {
        LoginMethods others = new LoginMethods(other.password(), other.nativePassword(), certificate());
        return new UserEntry(name, others, grant, tables);
    }

    /** Whether the passwords are the same as those of another entry, whatever the grants. */
    boolean logsInAs(UserEntry other) {
        return login.hasPasswordsOf(other.login);
    }
}
