package io.tributary.node.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Log line format for people: local time with its offset from UTC (ISO 8601), level, thread, message, and the stack trace of a failure. A failure that
 * a library logs gives only its first line: Tributary reports a lost peer in a line of its own, and the library's stack trace has no further use
 * for an operator.
 */
final class LineFormat implements LineForm {
    private static final String OWN = "io.tributary.";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx");

    private final ZoneId zone;

    LineFormat(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public String line(LogRecord event, String text, String thread) {
        StringBuilder line = new StringBuilder(128);
        line.append(time(event, zone)).append(' ').append(levelName(event.getLevel()));
        line.append(" [").append(thread).append("] ");
        String logger = String.valueOf(event.getLoggerName());
        Throwable failure = event.getThrown();
        if (logger.startsWith(OWN)) {
            line.append(text).append('\n');
            return failure == null ? line.toString() : line + stack(failure);
        }
        line.append(logger.substring(logger.lastIndexOf('.') + 1)).append(": ").append(text);
        if (failure != null) {
            line.append(": ").append(firstLine(failure));
        }
        return line.append('\n').toString();
    }

    /** When the event was logged, such as 2026-01-02T04:04:05.006+01:00. */
    static String time(LogRecord event, ZoneId zone) {
        return TIME.format(event.getInstant().atZone(zone));
    }

    /** SLF4J's name of a level, padded to five characters. */
    static String levelName(Level level) {
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
    static String stack(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
