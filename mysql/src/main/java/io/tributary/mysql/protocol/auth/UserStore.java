package io.tributary.mysql.protocol.auth;

import java.util.Optional;

/** Who may log in to the server side. Called by the thread that checks logins: may read a small file, must not wait. */
@FunctionalInterface
public interface UserStore {
    /** The account of a user name, or empty where there is none; a client cannot tell the two apart. */
    Optional<Account> find(String user);
}
