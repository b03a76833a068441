package io.tributary.common.config;

import java.util.Map;

/** A configuration that was read without a problem: the records, each by its type. */
public final class Config {
    private final Map<Class<?>, Record> records;

    Config(Map<Class<?>, Record> records) {
        this.records = Map.copyOf(records);
    }

    /** @throws IllegalArgumentException when the reader was not asked for this record */
    public <R extends Record> R get(Class<R> type) {
        Record found = records.get(type);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " was not read");
        }
        return type.cast(found);
    }
}
