package io.tributary.bench.stage;

import io.tributary.common.config.ConfigReader;
import java.util.List;
import java.util.Map;

/** Creates configuration records as a node reads them from a file. */
public final class Settings {
    private Settings() {}

    /** A record with these keys and defaults for all others. */
    public static <R extends Record> R of(Class<R> type, Map<String, String> keys) {
        return new ConfigReader(List.of(type)).read("bench", List.of(), keys).get(type);
    }
}
