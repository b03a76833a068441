package io.tributary.node.console;

/** The two groups of readers of the console. */
public enum Audience {
    /** Without login: no addresses, statements, GTIDs, XIDs, positions, messages or commands. */
    VIEWER,
    /** With the login of the admin endpoint, or of a node that has no login. */
    OPERATOR
}
