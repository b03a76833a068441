package io.tributary.common.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the lines of a configuration file: {@code key = value}, in order, each key once; a line that begins with # is a
 * comment. There are no escapes and no continuation lines, so a regular expression is written unchanged.
 */
final class SettingsFile {
    private SettingsFile() {}

    /** @param problems receives the problems found */
    static Map<String, Setting> parse(List<String> lines, List<String> problems) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            if (equals <= 0) {
                problems.add("line " + (i + 1) + ": expected 'key = value', found a line without a key or without '='");
                continue;
            }
            String key = line.substring(0, equals).strip();
            Setting before = settings.putIfAbsent(
                    key, new Setting(key, line.substring(equals + 1).strip(), i + 1));
            if (before != null) {
                problems.add("line " + (i + 1) + ": " + key + ": expected each key once, it is also set in line "
                        + before.line());
            }
        }
        return settings;
    }
}
