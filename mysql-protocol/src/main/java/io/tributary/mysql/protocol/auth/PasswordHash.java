package io.tributary.mysql.protocol.auth;

import java.util.Optional;

/** The stored form of a password: sufficient to check it, not sufficient to know it. */
public sealed interface PasswordHash permits PlainDigest, SaltedDigest {
    /** The digest against which a client's proof is checked; empty: the client must be asked for the password itself. */
    Optional<byte[]> digest();

    /** Whether the password is right; may take some 10 ms, so not on an event loop. */
    boolean accepts(String password);

    /** Whether the password is empty. */
    default boolean isOpen() {
        return false;
    }

    /** The form in a users file. */
    String text();
}
