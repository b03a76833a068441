package io.tributary.node.log;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/**
 * Writes all log lines of the process in one form, to stderr or to a file, without messages that are repeated too often, and counts errors and
 * warnings. The JDK's logging makes it, because {@code logging.properties} names it. Any thread.
 */
public final class LogOutput extends Handler {
    private static final Formatter MESSAGES = new SimpleFormatter();

    private final RepeatLimit limit = new RepeatLimit();
    private final RecentLog recent = new RecentLog();
    private final OutputStream stderr = new FileOutputStream(FileDescriptor.err);
    private final ZoneId zone;
    private LineForm form;
    private LogFile file; // null: stderr
    private long errors;
    private long warnings;

    /** Called by the JDK's logging. */
    public LogOutput() {
        this(ZoneId.systemDefault());
    }

    LogOutput(ZoneId zone) {
        this.zone = zone;
        this.form = new LineFormat(zone);
    }

    /** Continues in the form and in the file of the configuration. */
    synchronized void configure(LogConfig config) throws IOException {
        LogFile next = config.file().isPresent()
                ? new LogFile(config.file().get(), config.most().bytes(), config.files())
                : null;
        closeFile();
        file = next == null || !config.compress() ? next : next.compress();
        form = config.format() == LogConfig.Format.JSON ? new JsonFormat(zone) : new LineFormat(zone);
    }

    @Override
    public synchronized void publish(LogRecord event) {
        if (!isLoggable(event)) {
            return;
        }
        count(event.getLevel());
        writeSummaries(limit.end(event.getInstant(), false));
        String text = MESSAGES.formatMessage(event);
        String thread = Thread.currentThread().getName(); // a handler runs on the thread that logs
        if (limit.admits(event, text, thread)) {
            write(form.line(event, text, thread));
        }
    }

    private void count(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            errors++;
        } else if (level.intValue() >= Level.WARNING.intValue()) {
            warnings++;
        }
    }

    private void writeSummaries(List<RepeatLimit.Summary> summaries) {
        for (RepeatLimit.Summary summary : summaries) {
            write(form.line(summary.line(), summary.line().getMessage(), summary.thread()));
        }
    }

    /** Writes to stderr what cannot be written to the file, such as on a full disk. */
    private void write(String line) {
        recent.add(line);
        try {
            if (file == null) {
                stderr.write(line.getBytes(StandardCharsets.UTF_8));
            } else {
                file.write(line);
            }
        } catch (IOException e) {
            writeToStderr(line, e);
        }
    }

    private void writeToStderr(String line, IOException failure) {
        try {
            stderr.write((failure + ": " + line).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            reportError(null, e, ErrorManager.WRITE_FAILURE);
        }
    }

    /** The newest lines. */
    RecentLog recent() {
        return recent;
    }

    /** The numbers of errors and warnings, as metrics. */
    synchronized List<Metrics.Point> points() {
        return List.of(
                new Metrics.Point(Metric.LOG_MESSAGES, Map.of("level", "error"), errors),
                new Metrics.Point(Metric.LOG_MESSAGES, Map.of("level", "warn"), warnings));
    }

    /** Writes the counts of messages that are suppressed now. */
    synchronized void end() {
        LogRecord now = new LogRecord(Level.INFO, "");
        writeSummaries(limit.end(now.getInstant(), true));
    }

    @Override
    public void flush() {
        // each line is written at once
    }

    @Override
    public synchronized void close() {
        end();
        closeFile();
        file = null;
    }

    private void closeFile() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                reportError(null, e, ErrorManager.CLOSE_FAILURE);
            }
        }
    }
}
