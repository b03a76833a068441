package io.tributary.node.log;

import io.tributary.common.pipeline.Clock;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes what is logged under one name, each line in one piece: date and time here, level, thread, message, and the stack of a failure. */
final class LineLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;
    private static final int LEVEL_WIDTH = 5;
    private static final int MILLIS_DIGITS = 3;
    private static final int MICROS_A_SECOND = 1_000_000;
    private static final int NANOS_A_MICRO = 1000;
    private static final int NANOS_A_MILLI = 1_000_000;

    private final transient LogRules.Rule rule;
    private final transient PrintStream out;
    private final transient Clock clock;
    private final transient ZoneId zone;

    LineLogger(String name, LogRules.Rule rule, PrintStream out, Clock clock, ZoneId zone) {
        this.name = name;
        this.rule = rule;
        this.out = out;
        this.clock = clock;
        this.zone = zone;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String pattern, Object[] arguments, Throwable failure) {
        StringBuilder line = new StringBuilder(128);
        addTime(line);
        line.append(' ').append(level);
        line.append(" ".repeat(LEVEL_WIDTH - level.toString().length()));
        line.append(" [").append(Thread.currentThread().getName()).append("] ");
        if (rule.isCalm()) {
            line.append(name.substring(name.lastIndexOf('.') + 1)).append(": ");
        }
        line.append(MessageFormatter.basicArrayFormat(pattern, arguments));
        if (failure != null && rule.isCalm()) {
            line.append(": ").append(firstLine(failure));
        }
        line.append('\n');
        if (failure != null && !rule.isCalm()) {
            line.append(stack(failure));
        }
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    /** As {@code 2026-11-22 09:30:00.123}; by hand, for a formatter takes tens of milliseconds to load. */
    private void addTime(StringBuilder line) {
        long micros = clock.epochMicros();
        Instant now = Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_A_SECOND), (long) NANOS_A_MICRO * Math.floorMod(micros, MICROS_A_SECOND));
        LocalDateTime time = LocalDateTime.ofInstant(now, zone).truncatedTo(ChronoUnit.MILLIS);
        line.append(time.toLocalDate()).append(' ');
        add(line, time.getHour(), 2, ':');
        add(line, time.getMinute(), 2, ':');
        add(line, time.getSecond(), 2, '.');
        String millis = Integer.toString(time.getNano() / NANOS_A_MILLI);
        line.append("0".repeat(MILLIS_DIGITS - millis.length())).append(millis);
    }

    private static void add(StringBuilder line, int value, int digits, char behind) {
        String text = Integer.toString(value);
        line.append("0".repeat(digits - text.length())).append(text).append(behind);
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static String stack(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null; // nobody is told which line logged
    }

    @Override
    public boolean isTraceEnabled() {
        return rule.logs(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return rule.logs(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return rule.logs(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return rule.logs(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return rule.logs(Level.ERROR);
    }
}
