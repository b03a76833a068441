package io.tributary.bench.stage;

import io.tributary.common.config.ConfigReader;
import java.util.List;
import java.util.Map;

/** Configuration records as a node would read them from a file. */
public final class Settings {
    private Settings() {}

    /** A record with these keys, all others by default. */
    public static <R extends Record> R of(Class<R> type, Map<String, String> keys) {
        return new ConfigReader(List.of(type)).read("bench", List.of(), keys).get(type);
    }
}
