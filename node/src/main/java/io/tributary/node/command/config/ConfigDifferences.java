package io.tributary.node.command.config;

import io.tributary.common.config.Config;
import io.tributary.common.config.EffectiveSetting;
import io.tributary.node.command.output.FactsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The differences between the configuration that a running node uses and that of a file. */
final class ConfigDifferences {
    private static final String ABSENT = "-";

    private final RunningConfig running;
    private final Path file;
    private final boolean isSameFile;
    private final Map<String, EffectiveSetting> wanted = new LinkedHashMap<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<String> notCompared = new ArrayList<>();

    /** @param file the file of the configuration */
    ConfigDifferences(RunningConfig running, Config config, Path file) {
        this.running = running;
        this.file = file.toAbsolutePath();
        this.isSameFile = isSame(Path.of(running.file()), file);
        config.settings().forEach(setting -> wanted.put(setting.key(), setting));
        Set<String> keys = new LinkedHashSet<>(running.settings().keySet());
        keys.addAll(wanted.keySet());
        keys.forEach(this::compare);
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) { // the node may run where this file is not
            return false;
        }
    }

    private void compare(String key) {
        RunningConfig.Value used = running.settings().get(key);
        EffectiveSetting set = wanted.get(key);
        boolean isDefaultOfMember =
                used == null && !set.isSet() || set == null && used.origin().equals(EffectiveSetting.DEFAULT);
        if (isDefaultOfMember) {
            return; // the keys that are set show that the member is only on one side
        }
        String before = used == null ? ABSENT : used.text();
        String after = set == null ? ABSENT : set.value();
        boolean isSecret =
                used != null && used.isSecret() || set != null && set.declared().secret();
        boolean areBothSet = before.equals(EffectiveSetting.HIDDEN) && after.equals(EffectiveSetting.HIDDEN);
        if (isSecret && areBothSet && !isSameFile) {
            notCompared.add(key); // neither side shows its value
        }
        boolean isOtherSecret =
                isSecret && areBothSet && isSameFile && running.secretsChanged().contains(key);
        if (!before.equals(after) || isOtherSecret) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("key", key);
            row.put("running", before);
            row.put("file", isOtherSecret ? "*** (another value)" : after);
            row.put("needs", needs(key, used, set));
            rows.add(row);
        }
    }

    /** What brings the value of the file into effect. */
    private static String needs(String key, RunningConfig.Value used, EffectiveSetting set) {
        if (used != null && used.origin().equals("command line")) {
            return "a start without the option";
        }
        boolean isMember = key.startsWith("shard.") || key.startsWith("relay.");
        if (isMember && (used == null || set == null)) {
            return key.startsWith("shard.")
                    ? "shard " + (used == null ? "add" : "remove") + ", or a restart"
                    : "a restart";
        }
        boolean isLive = used == null ? set.declared().live() : used.isLive();
        return isLive ? "reload" : "a restart";
    }

    /** One map for each key that differs: key, running, file, needs. */
    List<Map<String, Object>> rows() {
        return rows;
    }

    Map<String, Object> page() {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("file", file.toString());
        page.put("file.of.node", running.file());
        page.put("differences", rows);
        page.put("secrets.not.compared", notCompared);
        page.put("file.problem", running.problem());
        return page;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        if (!isSameFile) {
            text.append("the node was started with another file: ")
                    .append(running.file())
                    .append('\n');
        }
        if (!running.problem().isEmpty()) {
            text.append("the node cannot read its file now: ")
                    .append(running.problem())
                    .append('\n');
        }
        if (!notCompared.isEmpty()) {
            text.append("secrets that cannot be compared: ")
                    .append(String.join(", ", notCompared))
                    .append('\n');
        }
        return text
                + (rows.isEmpty()
                        ? "the running node uses the values of " + file + "\n"
                        : FactsText.table(rows, "KEY", "RUNNING", "FILE", "NEEDS"));
    }
}
