package io.tributary.common.config;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
     * The keys whose values are others in another configuration of the same records, each once, sorted. Of a family such as
     * {@code shard.<name>.host} it has the keys of the names that both have, and the prefix {@code shard} where the names differ; where that
     * prefix is not asked for, the keys of the names that only the other one has.
     */
    public List<String> differences(Config other) {
        return differences(other, key -> true);
    }

    /** As above, of some keys only. */
    public List<String> differences(Config other, Predicate<Key> which) {
        Set<String> keys = new TreeSet<>();
        records.forEach((type, record) -> collect(new Place(type, ""), record, other.records.get(type), which, keys));
        return List.copyOf(keys);
    }

    /** A record of keys that share a prefix. */
    private record Place(Class<?> type, String prefix) {
        Place of(Class<?> nested) {
            return new Place(nested, prefix);
        }

        Place named(Key family, Object name, Object member) {
            return new Place(member.getClass(), prefix + family.value() + "." + name + ".");
        }
    }

    /** @param others null where it was not read */
    private static void collect(Place place, Object record, Object others, Predicate<Key> which, Set<String> keys) {
        for (RecordComponent component : place.type.getRecordComponents()) {
            Object ours = value(record, component);
            Object theirs = others == null ? null : value(others, component);
            Key key = component.getAnnotation(Key.class);
            if (key == null) {
                collect(place.of(component.getType()), ours, theirs, which, keys);
                continue;
            }
            Map<?, ?> family = family(ours);
            Map<?, ?> other = family(theirs);
            if (family.isEmpty() || other.isEmpty()) {
                if (which.test(key) && (others == null || !Objects.equals(ours, theirs))) {
                    keys.add(place.prefix + key.value());
                }
                continue;
            }
            if (which.test(key) && !family.keySet().equals(other.keySet())) {
                keys.add(place.prefix + key.value());
            }
            other.forEach((name, member) -> {
                if (Objects.equals(family.get(name), member)) {
                    return; // as the record itself says: its values may be patterns
                }
                if (family.containsKey(name)) {
                    collect(place.named(key, name, member), family.get(name), member, which, keys);
                } else if (!which.test(key)) {
                    collect(place.named(key, name, member), member, null, which, keys);
                }
            });
        }
    }

    /** The members of a family of keys; none where the value is no family. */
    private static Map<?, ?> family(Object value) {
        return value instanceof Map<?, ?> map && map.values().stream().allMatch(Record.class::isInstance)
                ? map
                : Map.of();
    }

    /**
     * This one, but for some keys with the values that another configuration of the same records has; of a family also the members that only
     * the other one has.
     */
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
            values[i] = key == null
                    ? merged(types[i], ours, theirs, which)
                    : which.test(key) ? theirs : mergedFamily(ours, theirs, which);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    /** As they are where the value is no family. */
    private static Object mergedFamily(Object ours, Object theirs, Predicate<Key> which) {
        Map<?, ?> family = family(ours);
        if (family.isEmpty()) {
            return ours;
        }
        Map<Object, Object> merged = new LinkedHashMap<>(family);
        family(theirs)
                .forEach((name, member) ->
                        merged.merge(name, member, (mine, other) -> merged(mine.getClass(), mine, other, which)));
        return merged;
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
