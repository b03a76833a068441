package io.tributary.node.console;

import io.tributary.common.config.Key;

/** What the console shows without a login, and with one. */
public record ConsoleAccess(
        @Key(
                value = "admin.console.viewers",
                byDefault = "true",
                about =
                        "Whether the web console (/console/) shows a summary without login if admin.user is set: names of"
                                + " nodes and shards, rates, lag and numbers, but no addresses, statements, identifiers of"
                                + " transactions or messages of errors.")
        boolean viewers,

        @Key(
                value = "admin.console.rows",
                byDefault = "false",
                about = "Whether the web console shows the values of rows, and finds rows by their key, for the"
                        + " user admin.user. Without admin.user it never does.")
        boolean rows) {
    /** A summary for viewers without login, and no rows for anyone. */
    public static final ConsoleAccess STANDARD = new ConsoleAccess(true, false);
}
