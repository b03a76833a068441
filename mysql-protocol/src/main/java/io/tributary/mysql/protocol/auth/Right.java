package io.tributary.mysql.protocol.auth;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The rights that an account may have in addition to logging in and reading variables. */
public enum Right {
    /** To read the binlog and its current position. */
    REPLICATION,
    /** To list the binlog's files, the readers and the sessions. */
    MONITOR,
    /** To end other users' sessions and to change retention; includes MONITOR. */
    ADMIN;

    /** The form in the users file. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The right with this form in the users file; empty if there is none. */
    public static Optional<Right> of(String text) {
        for (Right right : values()) {
            if (right.text().equals(text)) {
                return Optional.of(right);
            }
        }
        return Optional.empty();
    }

    /** All rights. */
    public static Set<Right> all() {
        return EnumSet.allOf(Right.class);
    }

    /** The form in messages: {@code MONITOR, ADMIN}. */
    public static String list(Set<Right> rights) {
        return rights.stream().sorted().map(Right::name).collect(Collectors.joining(", "));
    }
}
