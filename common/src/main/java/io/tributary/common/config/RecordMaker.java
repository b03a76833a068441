package io.tributary.common.config;

import io.tributary.common.error.TributaryException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates records of keys from settings; it collects all problems instead of stopping at the first. */
final class RecordMaker {
    private final Map<String, Setting> settings;
    private final Placeholders placeholders;
    private final List<String> problems;

    RecordMaker(Map<String, Setting> settings, Placeholders placeholders, List<String> problems) {
        this.settings = settings;
        this.placeholders = placeholders;
        this.problems = problems;
    }

    /**
     * The record, empty if one of its keys has a problem.
     *
     * @param prefix is put before each of its keys
     */
    <R> Optional<R> make(Class<R> type, String prefix) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        boolean complete = true;
        for (int i = 0; i < components.length; i++) {
            Optional<?> value = component(components[i], prefix);
            complete &= value.isPresent();
            values[i] = value.orElse(null);
        }
        return complete ? construct(type, components, values, prefix) : Optional.empty();
    }

    private Optional<?> component(RecordComponent component, String prefix) {
        if (DeclaredKey.isNested(component)) {
            return make(component.getType(), prefix);
        }
        Key key = component.getAnnotation(Key.class);
        if (component.getType() == Map.class) {
            return family(DeclaredKey.memberOf(component), key, prefix + key.value() + ".");
        }
        return value(prefix + key.value(), key, ValueType.of(component.getGenericType()));
    }

    private Optional<Map<String, Object>> family(Class<?> member, Key key, String prefix) {
        Set<String> names = new LinkedHashSet<>();
        for (String set : settings.keySet()) {
            int end = set.indexOf('.', prefix.length());
            if (set.startsWith(prefix) && end > prefix.length()) {
                names.add(set.substring(prefix.length(), end));
            }
        }
        if (names.isEmpty() && key.required()) {
            problems.add(prefix + DeclaredKey.OPEN_NAME + ": expected at least one, found none: " + key.about());
            return Optional.empty();
        }
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name : names) {
            make(member, prefix + name + ".").ifPresent(made -> members.put(name, made));
        }
        return members.size() == names.size() ? Optional.of(Collections.unmodifiableMap(members)) : Optional.empty();
    }

    private Optional<Object> value(String name, Key key, ValueType type) {
        Setting setting = settings.get(name);
        if (setting == null) {
            if (key.required()) {
                problems.add(name + ": expected " + type.expectation(key) + ", found no such line: " + key.about());
                return Optional.empty();
            }
            return Optional.of(type.parse(key.byDefault(), key));
        }
        try {
            return Optional.of(type.parse(placeholders.replace(setting.text()), key));
        } catch (IllegalArgumentException e) { // its message is the expectation
            problems.add(setting.where() + ": expected " + e.getMessage() + ", found " + display(setting, key));
            return Optional.empty();
        }
    }

    private static String display(Setting setting, Key key) {
        if (key.secret() && !Placeholders.isOne(setting.text())) {
            String used = String.join(", ", Placeholders.of(setting.text()));
            return "a value that is not shown" + (used.isEmpty() ? "" : ", with " + used);
        }
        return setting.text().isEmpty() ? "nothing" : "'" + setting.text() + "'";
    }

    private <R> Optional<R> construct(Class<R> type, RecordComponent[] components, Object[] values, String prefix) {
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return Optional.of(constructor.newInstance(values));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException || e.getCause() instanceof TributaryException) {
                problems.add(prefix + e.getCause().getMessage());
                return Optional.empty();
            }
            throw new IllegalStateException("cannot make " + type, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }
}
