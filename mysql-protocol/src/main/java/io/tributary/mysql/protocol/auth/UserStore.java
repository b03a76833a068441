package io.tributary.mysql.protocol.auth;

import java.util.Optional;

/** The users that may log in to the server side. Called by the thread that checks logins: may read a small file, must not wait. */
@FunctionalInterface
public interface UserStore {
    /** The account of a user name, or empty if there is none; a client cannot distinguish the two cases. */
    Optional<Account> find(String user);
}
