package io.tributary.node.log;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Limits how often the same message is logged, also if others are in between. Of equal messages of one logger and level, three are logged within
 * ten seconds. Further ones are counted, and the count is logged when the time is over and something is logged. Not thread-safe.
 */
final class RepeatLimit {
    static final int ALLOWED = 3;
    static final Duration WINDOW = Duration.ofSeconds(10);
    private static final int MOST = 256;

    private final Map<Message, Repeats> recent = new LinkedHashMap<>();

    private record Message(String logger, Level level, String text) {}

    /** How often a message was seen since a time. */
    private static final class Repeats {
        private final Instant since;
        private final String thread;
        private int count;

        Repeats(Instant since, String thread) {
            this.since = since;
            this.thread = thread;
        }
    }

    /**
     * A line that states how often a message was repeated.
     *
     * @param thread that logged the first one
     */
    record Summary(LogRecord line, String thread) {}

    /** Whether a message is logged. */
    boolean admits(LogRecord event, String text, String thread) {
        Message message = new Message(event.getLoggerName(), event.getLevel(), text);
        Repeats repeats = recent.get(message);
        if (repeats == null) {
            if (recent.size() >= MOST) {
                return true; // very many different messages: none of them is limited
            }
            repeats = new Repeats(event.getInstant(), thread);
            recent.put(message, repeats);
        }
        repeats.count++;
        return repeats.count <= ALLOWED;
    }

    /** Ends the times that are over at this one, or all; returns what has to be logged about them. */
    List<Summary> end(Instant now, boolean all) {
        List<Summary> summaries = new ArrayList<>();
        Iterator<Map.Entry<Message, Repeats>> each = recent.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Message, Repeats> entry = each.next();
            Repeats repeats = entry.getValue();
            if (!all && Duration.between(repeats.since, now).compareTo(WINDOW) < 0) {
                break; // they are in the order of their times
            }
            each.remove();
            if (repeats.count > ALLOWED) {
                summaries.add(summary(entry.getKey(), repeats, now));
            }
        }
        return summaries;
    }

    private static Summary summary(Message message, Repeats repeats, Instant now) {
        long seconds = Math.max(1, Duration.between(repeats.since, now).toSeconds());
        LogRecord line = new LogRecord(
                message.level(),
                message.text() + " (repeated: suppressed=" + (repeats.count - ALLOWED) + " within.seconds=" + seconds
                        + ")");
        line.setLoggerName(message.logger());
        line.setInstant(now);
        return new Summary(line, repeats.thread);
    }
}
