package io.tributary.common.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A configuration that was read without a problem: the records, each by its type. */
public final class Config {
    private final Map<Class<?>, Record> records;

    Config(Map<Class<?>, Record> records) {
        this.records = Map.copyOf(records);
    }

    /**
     * The keys whose values are others in another configuration of the same records, each once, sorted; of keys in a family such as
     * {@code shard.<name>.host} the prefix.
     */
    public List<String> differences(Config other) {
        List<String> keys = new ArrayList<>();
        records.forEach((type, record) -> {
            for (RecordComponent component : type.getRecordComponents()) {
                Record others = other.records.get(type);
                if (others == null || !Objects.equals(value(record, component), value(others, component))) {
                    Key key = component.getAnnotation(Key.class);
                    keys.add(key == null ? component.getName() : key.value());
                }
            }
        });
        return keys.stream().distinct().sorted().toList();
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
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
