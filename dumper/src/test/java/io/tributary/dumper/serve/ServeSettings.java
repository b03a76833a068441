package io.tributary.dumper.serve;

import io.tributary.common.config.ConfigReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Configurations of the server of readers, on a free port of loopback. */
final class ServeSettings {
    private ServeSettings() {}

    /** @param more lines of a configuration file */
    static ServeConfig of(String... more) {
        List<String> lines = new ArrayList<>(List.of("serve.listen = 127.0.0.1:0"));
        lines.addAll(List.of(more));
        return new ConfigReader(List.of(ServeConfig.class))
                .read("test", lines, Map.of())
                .get(ServeConfig.class);
    }
}
