package io.tributary.schema.read;

import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The keys and constraints of a statement, in its order; those without a name have "". */
final class TableText {
    private final List<TableKey> keys = new ArrayList<>();
    private final Set<TableKey> supports = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Object> ifMissing = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<ForeignKey> foreignKeys = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();

    void add(TableKey key) {
        keys.add(key);
    }

    void removeLastKey() {
        keys.remove(keys.size() - 1);
    }

    /** Adds the index that a foreign key needs, unless another key serves. */
    void addSupport(TableKey key) {
        keys.add(key);
        supports.add(key);
    }

    boolean isSupport(TableKey key) {
        return supports.contains(key);
    }

    /** Marks a key or check that is added only if its name does not exist. */
    void addIfMissing(Object added) {
        ifMissing.add(added);
    }

    /** Marks the keys as MariaDB does for a column with IF EXISTS: they are added only if their names do not exist. */
    void addKeysIfMissing() {
        ifMissing.addAll(keys);
    }

    /** Marks all: they are added only if their names do not exist. */
    void assumeMissing() {
        ifMissing.addAll(keys);
        ifMissing.addAll(foreignKeys);
        ifMissing.addAll(checks);
    }

    void removeConstraints() {
        checks.clear();
        foreignKeys.clear();
    }

    boolean isIfMissing(Object added) {
        return ifMissing.contains(added);
    }

    void add(ForeignKey foreignKey) {
        foreignKeys.add(foreignKey);
    }

    void add(Check check) {
        checks.add(check);
    }

    List<TableKey> keys() {
        return keys;
    }

    List<ForeignKey> foreignKeys() {
        return foreignKeys;
    }

    List<Check> checks() {
        return checks;
    }
}
