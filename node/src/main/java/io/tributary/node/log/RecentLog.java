package io.tributary.node.log;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A handler that keeps the newest log lines in memory, for {@code tributary support}: at most 1 Mi characters, and at most 5000 lines. */
public final class RecentLog extends Handler {
    private static final int MOST_CHARS = 1 << 20;
    private static final int MOST_LINES = 5000;

    private final Formatter format = new LineFormat();
    private final Deque<String> lines = new ArrayDeque<>();
    private int chars;

    /** Called by the JDK's logging, which reads this class name from {@code logging.properties}. */
    public RecentLog() {
        setLevel(Level.ALL); // the loggers have levels
    }

    /** The lines of this process, the oldest first; a note if logging was configured without this handler. */
    public static String text() {
        return Arrays.stream(Logger.getLogger("").getHandlers())
                .filter(RecentLog.class::isInstance)
                .map(handler -> ((RecentLog) handler).joined())
                .findFirst()
                .orElse("the logging of this process is configured without io.tributary.node.log.RecentLog\n");
    }

    @Override
    public void publish(LogRecord event) {
        if (isLoggable(event)) {
            add(format.format(event));
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        chars += line.length();
        while (lines.size() > 1 && (chars > MOST_CHARS || lines.size() > MOST_LINES)) {
            chars -= lines.remove().length();
        }
    }

    synchronized String joined() {
        return String.join("", lines);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
