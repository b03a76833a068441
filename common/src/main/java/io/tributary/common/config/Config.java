package io.tributary.common.config;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

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
        return differences(other, key -> true);
    }

    /** As above, of some keys only. */
    public List<String> differences(Config other, Predicate<Key> which) {
        Set<String> keys = new TreeSet<>();
        records.forEach((type, record) -> collect(type, record, other.records.get(type), which, keys));
        return List.copyOf(keys);
    }

    /** @param others null where it was not read */
    private static void collect(Class<?> type, Object record, Object others, Predicate<Key> which, Set<String> keys) {
        for (RecordComponent component : type.getRecordComponents()) {
            Object ours = value(record, component);
            Object theirs = others == null ? null : value(others, component);
            Key key = component.getAnnotation(Key.class);
            if (key == null) {
                collect(component.getType(), ours, theirs, which, keys);
            } else if (which.test(key) && (others == null || !Objects.equals(ours, theirs))) {
                keys.add(key.value());
            }
        }
    }

    private static Object value(Object record, RecordComponent component) {
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
