package io.tributary.common.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A configuration that was read without problems: the records, by type. */
public final class Config {
    private final String source;
    private final Map<Class<?>, Record> records;
    private final List<EffectiveSetting> settings;

    /** @param source the name of the file */
    Config(String source, Map<Class<?>, Record> records, List<EffectiveSetting> settings) {
        this.source = source;
        this.records = Map.copyOf(records);
        this.settings = List.copyOf(settings);
    }

    /** The file that was read, as it was named. */
    public String source() {
        return source;
    }

    /** The values of all keys of the records as texts, without secrets, in the order of their declaration. */
    public List<EffectiveSetting> settings() {
        return settings;
    }

    /** The values of all secret keys that are set, for code that must find them in other texts. */
    public List<Secret> secrets() {
        List<Secret> secrets = new ArrayList<>();
        records.values().forEach(record -> collectSecrets(record, secrets));
        return secrets;
    }

    private static void collectSecrets(Object value, List<Secret> secrets) {
        if (value instanceof Secret secret) {
            if (!secret.isEmpty()) {
                secrets.add(secret);
            }
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(present -> collectSecrets(present, secrets));
        } else if (value instanceof Collection<?> items) {
            items.forEach(item -> collectSecrets(item, secrets));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(each -> collectSecrets(each, secrets));
        } else if (value instanceof Record && value.getClass().getPackageName().startsWith("io.tributary")) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                collectSecrets(value(value, component), secrets);
            }
        }
    }

    /**
     * The keys whose values differ in another configuration of the same records, each once, sorted. For a family such as
     * {@code shard.<name>.host} it has the keys of the names that both have, and the prefix {@code shard} if the names differ; if that
     * prefix is not requested, the keys of the names that only the other configuration has.
     */
    public List<String> differences(Config other) {
        return differences(other, key -> true);
    }

    /** As above, for some keys only. */
    public List<String> differences(Config other, Predicate<Key> which) {
        Set<String> keys = new TreeSet<>();
        records.forEach((type, record) -> collect(new Place(type, ""), record, other.records.get(type), which, keys));
        return List.copyOf(keys);
    }

    /** A record of keys and their common prefix. */
    private record Place(Class<?> type, String prefix) {
        Place of(Class<?> nested) {
            return new Place(nested, prefix);
        }

        Place named(Key family, Object name, Object member) {
            return new Place(member.getClass(), prefix + family.value() + "." + name + ".");
        }
    }

    /** @param others null if the other configuration does not have it */
    private static void collect(Place place, Object record, Object others, Predicate<Key> which, Set<String> keys) {
        for (RecordComponent component : place.type.getRecordComponents()) {
            Object own = value(record, component);
            Object otherValue = others == null ? null : value(others, component);
            Key key = component.getAnnotation(Key.class);
            if (key == null) {
                collect(place.of(component.getType()), own, otherValue, which, keys);
                continue;
            }
            Map<?, ?> family = family(own);
            Map<?, ?> other = family(otherValue);
            if (family.isEmpty() || other.isEmpty()) {
                if (which.test(key) && (others == null || !Objects.equals(own, otherValue))) {
                    keys.add(place.prefix + key.value());
                }
                continue;
            }
            if (which.test(key) && !family.keySet().equals(other.keySet())) {
                keys.add(place.prefix + key.value());
            }
            other.forEach((name, member) -> {
                if (Objects.equals(family.get(name), member)) {
                    return; // as in the record's equals: values may be patterns
                }
                if (family.containsKey(name)) {
                    collect(place.named(key, name, member), family.get(name), member, which, keys);
                } else if (!which.test(key)) {
                    collect(place.named(key, name, member), member, null, which, keys);
                }
            });
        }
    }

    /** The members of a family of keys; empty if the value is not a family. */
    private static Map<?, ?> family(Object value) {
        return value instanceof Map<?, ?> map && map.values().stream().allMatch(Record.class::isInstance)
                ? map
                : Map.of();
    }

    /**
     * This configuration with the values of another configuration of the same records for some keys; for a family also with the members that
     * only the other one has.
     */
    public Config with(Config other, Predicate<Key> which) {
        Map<Class<?>, Record> merged = new HashMap<>();
        records.forEach((type, record) -> {
            Record others = other.records.get(type);
            merged.put(type, others == null ? record : (Record) merged(type, record, others, which));
        });
        return new Config(source, merged, mergedSettings(other, which));
    }

    /** Live settings are those of the other configuration; of the rest it adds those of members of families that only it has. */
    private List<EffectiveSetting> mergedSettings(Config other, Predicate<Key> which) {
        Map<String, EffectiveSetting> merged = new LinkedHashMap<>();
        settings.stream()
                .filter(own -> !which.test(own.declared()) || !own.isOfFamily())
                .forEach(own -> merged.put(own.key(), own));
        for (EffectiveSetting others : other.settings) {
            if (which.test(others.declared())) {
                merged.put(others.key(), others);
            } else if (others.isOfFamily()) {
                merged.putIfAbsent(others.key(), others);
            }
        }
        return List.copyOf(merged.values());
    }

    private static Object merged(Class<?> type, Object record, Object others, Predicate<Key> which) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object own = value(record, components[i]);
            Object other = value(others, components[i]);
            Key key = components[i].getAnnotation(Key.class);
            types[i] = components[i].getType();
            values[i] = key == null
                    ? merged(types[i], own, other, which)
                    : which.test(key) ? other : mergedFamily(own, other, which);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    /** Returns the value unchanged if it is not a family. */
    private static Object mergedFamily(Object own, Object other, Predicate<Key> which) {
        Map<?, ?> family = family(own);
        if (family.isEmpty()) {
            return own;
        }
        Map<Object, Object> merged = new LinkedHashMap<>(family);
        family(other)
                .forEach((name, member) -> merged.merge(
                        name,
                        member,
                        (ownMember, otherMember) -> merged(ownMember.getClass(), ownMember, otherMember, which)));
        return merged;
    }

    private static Object value(Object record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    /** @throws IllegalArgumentException if this record was not read */
    public <R extends Record> R get(Class<R> type) {
        Record found = records.get(type);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " was not read");
        }
        return type.cast(found);
    }
}
