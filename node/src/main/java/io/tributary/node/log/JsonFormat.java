package io.tributary.node.log;

import io.tributary.node.text.JsonText;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Log line format for programs: a JSON object with {@code time}, {@code level}, {@code thread}, {@code logger}, {@code message}, {@code shard}
 * if the message names one, and {@code failure} with the stack trace if there is one.
 */
final class JsonFormat implements LineForm {
    private static final Pattern SHARD = Pattern.compile("\\bshard=([\\w.-]+)");

    private final ZoneId zone;

    JsonFormat(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public String line(LogRecord event, String text, String thread) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", LineFormat.time(event, zone));
        line.put("level", LineFormat.levelName(event.getLevel()).strip());
        line.put("thread", thread);
        line.put("logger", String.valueOf(event.getLoggerName()));
        line.put("message", text);
        Matcher shard = SHARD.matcher(text);
        if (shard.find()) {
            line.put("shard", shard.group(1));
        }
        if (event.getThrown() != null) {
            line.put("failure", LineFormat.stack(event.getThrown()).strip());
        }
        return JsonText.of(line) + "\n";
    }
}
