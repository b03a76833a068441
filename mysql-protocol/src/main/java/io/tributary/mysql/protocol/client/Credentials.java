package io.tributary.mysql.protocol.client;

import java.util.Objects;

/**
 * A user and its password.
 *
 * @param password in plaintext; never printed
 */
public record Credentials(String user, String password) {
    public Credentials {
        Objects.requireNonNull(user);
        Objects.requireNonNull(password);
    }

    /** The user. */
    @Override
    public String toString() {
        return user;
    }
}
