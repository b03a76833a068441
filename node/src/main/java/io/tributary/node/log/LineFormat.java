package io.tributary.node.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Log line format for people: local date and time, level, thread, message, and the stack trace of a failure. A failure that a library logs
 * gives only its first line: Tributary reports a lost peer in a line of its own, and the library's stack trace has no further use for an operator.
 */
public final class LineFormat extends Formatter {
    private static final String OWN = "io.tributary.";

    private final DateTimeFormatter time;

    /** Called by the JDK's logging, which reads this class name from {@code logging.properties}. */
    public LineFormat() {
        this(ZoneId.systemDefault());
    }

    LineFormat(ZoneId zone) {
        this.time = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(zone);
    }

    @Override
    public String format(LogRecord event) {
        StringBuilder line = new StringBuilder(128);
        time.formatTo(event.getInstant(), line);
        line.append(' ').append(levelName(event.getLevel()));
        line.append(" [")
                .append(Thread.currentThread().getName())
                .append("] "); // a handler runs on the thread that logs
        String logger = String.valueOf(event.getLoggerName());
        Throwable failure = event.getThrown();
        if (logger.startsWith(OWN)) {
            line.append(formatMessage(event)).append('\n');
            return failure == null ? line.toString() : line + stack(failure);
        }
        line.append(logger.substring(logger.lastIndexOf('.') + 1)).append(": ").append(formatMessage(event));
        if (failure != null) {
            line.append(": ").append(firstLine(failure));
        }
        return line.append('\n').toString();
    }

    /** SLF4J's name of a level, padded to five characters. */
    private static String levelName(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (value >= Level.WARNING.intValue()) {
            return "WARN ";
        }
        if (value >= Level.INFO.intValue()) {
            return "INFO ";
        }
        return value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
    }

    private static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }

    /** The stack trace with its causes, in the JDK's form. It becomes part of the log line and is printed nowhere else. */
    private static String stack(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
