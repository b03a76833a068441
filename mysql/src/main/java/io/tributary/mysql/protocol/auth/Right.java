package io.tributary.mysql.protocol.auth;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an account may be allowed beside logging in and reading variables. */
public enum Right {
    /** To read the binlog, and to ask where it stands. */
    REPLICATION,
    /** To look at the binlog's files, at readers and at sessions. */
    MONITOR,
    /** To end other users' sessions and to change what is kept; includes looking. */
    ADMIN;

    /** As it stands in the users file. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The right of a text as it stands in the users file; empty where there is none. */
    public static Optional<Right> of(String text) {
        for (Right right : values()) {
            if (right.text().equals(text)) {
                return Optional.of(right);
            }
        }
        return Optional.empty();
    }

    /** All of them. */
    public static Set<Right> all() {
        return EnumSet.allOf(Right.class);
    }

    /** As messages list them: {@code MONITOR, ADMIN}. */
    public static String list(Set<Right> rights) {
        return rights.stream().sorted().map(Right::name).collect(Collectors.joining(", "));
    }
}
