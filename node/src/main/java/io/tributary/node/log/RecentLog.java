package io.tributary.node.log;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.logging.Logger;

/** The newest lines of the log, in memory, for {@code tributary support}: at most 1 Mi characters, and at most 5000 lines. Any thread. */
public final class RecentLog {
    private static final int MOST_CHARS = 1 << 20;
    private static final int MOST_LINES = 5000;

    private final Deque<String> lines = new ArrayDeque<>();
    private int chars;

    RecentLog() {}

    /** The lines of this process, the oldest first; a note if logging was configured without {@link LogOutput}. */
    public static String text() {
        return Arrays.stream(Logger.getLogger("").getHandlers())
                .filter(LogOutput.class::isInstance)
                .map(handler -> ((LogOutput) handler).recent().joined())
                .findFirst()
                .orElse("the logging of this process is configured without io.tributary.node.log.LogOutput\n");
    }

    synchronized void add(String line) {
        lines.add(line);
        chars += line.length();
        while (lines.size() > 1 && (chars > MOST_CHARS || lines.size() > MOST_LINES)) {
            chars -= lines.remove().length();
        }
    }

    synchronized String joined() {
        return String.join("", lines);
    }
}
