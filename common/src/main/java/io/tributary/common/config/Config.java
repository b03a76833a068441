package io.tributary.common.config;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
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

    /** This one, but for some keys with the values that another configuration of the same records has. */
    public Config with(Config other, Predicate<Key> which) {
        Map<Class<?>, Record> merged = new HashMap<>();
        records.forEach((type, record) -> {
            Record others = other.records.get(type);
            merged.put(type, others == null ? record : (Record) merged(type, record, others, which));
        });
        return new Config(merged);
    }

    private static Object merged(Class<?> type, Object record, Object others, Predicate<Key> which) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object ours = value(record, components[i]);
            Object theirs = value(others, components[i]);
            Key key = components[i].getAnnotation(Key.class);
            types[i] = components[i].getType();
            values[i] = key == null ? merged(types[i], ours, theirs, which) : which.test(key) ? theirs : ours;
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
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
