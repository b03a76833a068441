package io.tributary.node.command.output;

import picocli.CommandLine.Help.Ansi;

/** Whether people read the output on a terminal: only then it has colours. */
public final class Terminal {
    /** A system property that the start script sets if standard output is a terminal. */
    private static final String PROPERTY = "tributary.terminal";

    private Terminal() {}

    /** Whether standard output is a terminal. */
    public static boolean isThere() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** Colours on a terminal, but not if NO_COLOR is set to a value (no-color.org) or TERM is dumb. */
    public static Ansi ansi() {
        return ansi(isThere(), System.getenv("NO_COLOR"), System.getenv("TERM"));
    }

    static Ansi ansi(boolean isTerminal, String noColor, String term) {
        boolean isUnwanted = noColor != null && !noColor.isEmpty() || "dumb".equals(term);
        return isTerminal && !isUnwanted ? Ansi.ON : Ansi.OFF;
    }
}
