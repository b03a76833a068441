package io.tributary.node.command.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer of the page /config of a node.
 *
 * @param file the file that the node reads
 * @param settings by key, in the order of the page
 * @param secretsChanged the secret keys whose values in that file differ from those in use
 * @param problem why the node cannot read the file now, or ""
 */
record RunningConfig(String file, Map<String, Value> settings, List<String> secretsChanged, String problem) {
    /**
     * One setting.
     *
     * @param text *** for a secret that is set
     */
    record Value(String text, String origin, boolean isLive, boolean isSecret) {}

    static RunningConfig of(Object page) {
        Map<?, ?> facts = (Map<?, ?>) page;
        Map<String, Value> settings = new LinkedHashMap<>();
        for (Object each : (List<?>) facts.get("settings")) {
            Map<?, ?> setting = (Map<?, ?>) each;
            settings.put(
                    setting.get("key").toString(),
                    new Value(
                            setting.get("value").toString(),
                            setting.get("from").toString(),
                            (Boolean) setting.get("live"),
                            (Boolean) setting.get("secret")));
        }
        List<String> secrets = ((List<?>) facts.get("secrets.changed"))
                .stream().map(Object::toString).toList();
        return new RunningConfig(
                facts.get("file").toString(),
                settings,
                secrets,
                facts.get("file.problem").toString());
    }
}
