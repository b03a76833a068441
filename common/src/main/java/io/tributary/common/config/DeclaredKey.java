package io.tributary.common.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One key as a record declares it.
 *
 * @param name full name; a family's variable name is written as {@code <name>}
 * @param key the declaration
 * @param type converts text to its value
 */
record DeclaredKey(String name, Key key, ValueType type) {
    static final String OPEN_NAME = "<name>";

    /** Every key of a record, its nested records and its families, in the order of the components. */
    static List<DeclaredKey> of(Class<? extends Record> record) {
        List<DeclaredKey> keys = new ArrayList<>();
        collect(record, "", keys);
        return keys;
    }

    private static void collect(Class<?> record, String prefix, List<DeclaredKey> keys) {
        for (RecordComponent component : record.getRecordComponents()) {
            Key key = component.getAnnotation(Key.class);
            if (isNested(component)) {
                collect(component.getType(), prefix, keys);
            } else if (key == null) {
                throw new IllegalArgumentException(record.getName() + "." + component.getName() + " has no @Key");
            } else if (component.getType() == Map.class) {
                collect(memberOf(component), prefix + key.value() + "." + OPEN_NAME + ".", keys);
            } else {
                keys.add(of(prefix, key, component));
            }
        }
    }

    private static DeclaredKey of(String prefix, Key key, RecordComponent component) {
        DeclaredKey declared = new DeclaredKey(prefix + key.value(), key, ValueType.of(component.getGenericType()));
        if (key.secret() != declared.type.isSecret()) {
            throw new IllegalArgumentException(declared.name + ": a secret key and the type Secret go together");
        }
        if (!key.required() && !(key.byDefault().isEmpty() && declared.mayBeEmpty())) {
            declared.type.parse(key.byDefault(), key);
        }
        return declared;
    }

    private boolean mayBeEmpty() {
        return type.element() == String.class || type.isSecret() || type.form() != ValueType.Form.SINGLE;
    }

    /** Whether a component has no key and its type is a record: its keys are then read as if they were declared in its place. */
    static boolean isNested(RecordComponent component) {
        return component.getAnnotation(Key.class) == null && component.getType().isRecord();
    }

    /** The record type of a family's members. */
    static Class<?> memberOf(RecordComponent family) {
        Type member = ((ParameterizedType) family.getGenericType()).getActualTypeArguments()[1];
        if (member instanceof Class<?> record && record.isRecord()) {
            return record;
        }
        throw new IllegalArgumentException(
                family.getName() + ": expected records as members of a family, found " + member);
    }

    /** Whether two records declare the same key in the same way. */
    boolean agreesWith(DeclaredKey other) {
        return type.equals(other.type)
                && key.required() == other.key.required()
                && Objects.equals(key.byDefault(), other.key.byDefault())
                && Objects.equals(key.min(), other.key.min())
                && Objects.equals(key.max(), other.key.max());
    }

    /** Whether a full key of a file is an instance of this key. */
    boolean matches(String fullKey) {
        int open = name.indexOf(OPEN_NAME);
        if (open < 0) {
            return name.equals(fullKey);
        }
        String before = name.substring(0, open);
        String after = name.substring(open + OPEN_NAME.length());
        return fullKey.length() > before.length() + after.length()
                && fullKey.startsWith(before)
                && fullKey.endsWith(after)
                && fullKey.substring(before.length(), fullKey.length() - after.length())
                        .matches("[A-Za-z0-9_-]+");
    }
}
