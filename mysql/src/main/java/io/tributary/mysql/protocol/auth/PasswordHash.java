package io.tributary.mysql.protocol.auth;

import java.util.Optional;

/** What is kept of a password: enough to check it, not enough to know it. */
public sealed interface PasswordHash permits PlainDigest, SaltedDigest {
    /** The digest that a client's proof is checked against; empty: the client has to be asked for the password itself. */
    Optional<byte[]> digest();

    /** Whether the password is right; may take some 10 ms, so not on an event loop. */
    boolean accepts(String password);

    /** Whether there is no password. */
    default boolean isOpen() {
        return false;
    }

    /** As it stands in a users file. */
    String text();
}
