package io.tributary.schema.keys;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the transactions of a table have to be compared by, from its definition.
 *
 * @param kind how
 * @param lock the key of the whole table
 * @param keys whose values are hashed
 */
public record TableKeys(Kind kind, long lock, List<HashedKey> keys) {
    /** How the transactions of a table depend on each other. */
    public enum Kind {
        /** By the values of their keys. */
        BY_KEYS,
        /** Each depends on the one before it: rows of the table cannot be identified by values in row images. */
        ONE_AFTER_ANOTHER,
        /** The same, and each also depends on what its shard reports, because the definition of the table is not known. */
        UNKNOWN,
        /** Each depends on all transactions, and all depend on it: replicas change rows of other tables with it. */
        ALONE
    }

    /** What is known of the tables in the output. */
    public interface Tables {
        /** The definition of a table; empty if it is not known. */
        Optional<TableDefinition> definition(TableName table);

        /** The definitions of the tables that have foreign keys to a table. */
        Collection<TableDefinition> referencing(TableName table);

        /** Unique keys of a table that some members had in their list, and that its definition may lack. */
        Collection<TableKey> extraKeys(TableName table);
    }

    private static final Set<String> REFUSED = Set.of(ForeignKey.NO_ACTION, "RESTRICT");

    public TableKeys {
        keys = List.copyOf(keys);
    }

    /** The keys of a table in the output. */
    public static TableKeys of(TableName name, Tables tables) {
        TableDefinition table = tables.definition(name).orElse(null);
        long lock = KeyHash.of(text(name));
        if (table == null) {
            return new TableKeys(changesChildren(name, tables) ? Kind.ALONE : Kind.UNKNOWN, lock, List.of());
        }
        Set<TableKey> referenced = new HashSet<>();
        for (TableDefinition child : tables.referencing(name)) {
            for (ForeignKey key : child.foreignKeys()) {
                boolean isToThis = text(key.referenced()).equals(text(name));
                boolean isExact = key.referenced().equals(name); // as the child looks for it
                Optional<TableKey> target = isExact ? target(key, child, table) : Optional.empty();
                if (isToThis && target.isEmpty()) {
                    return new TableKeys(Kind.ALONE, lock, List.of());
                }
                target.ifPresent(referenced::add);
            }
        }
        Set<TableKey> unique = new LinkedHashSet<>(uniqueKeys(table));
        tables.extraKeys(name).stream()
                .filter(key -> key.parts().stream().allMatch(part -> isPossible(table, part)))
                .forEach(unique::add);
        boolean isByKeys = table.rowKey().isPresent()
                && unique.stream().allMatch(key -> columns(table, key).isPresent());
        Map<Long, HashedKey> hashed = new LinkedHashMap<>();
        for (TableKey key : unique) {
            boolean isNeeded = isByKeys || referenced.contains(key);
            HashedKey.Mode mode = referenced.contains(key) ? HashedKey.Mode.CHANGED_OF_MANY : HashedKey.Mode.CHANGED;
            columns(table, key)
                    .filter(columns -> isNeeded)
                    .map(columns -> new HashedKey(seed(name, columns), columns, mode, lock))
                    .ifPresent(one -> hashed.putIfAbsent(one.seed(), one));
        }
        List<HashedKey> all = new ArrayList<>(hashed.values());
        all.addAll(ofParents(table, tables::definition));
        return new TableKeys(isByKeys ? Kind.BY_KEYS : Kind.ONE_AFTER_ANOTHER, lock, all);
    }

    /** Whether rows of other tables change with those of a table whose definition is not known. */
    private static boolean changesChildren(TableName name, Tables tables) {
        return tables.referencing(name).stream()
                .flatMap(child -> child.foreignKeys().stream())
                .anyMatch(key -> text(key.referenced()).equals(text(name)) && changesChild(key));
    }

    private static boolean changesChild(ForeignKey key) {
        return !REFUSED.contains(key.onDelete()) || !REFUSED.contains(key.onUpdate());
    }

    private static List<TableKey> uniqueKeys(TableDefinition table) {
        return table.keys().stream().filter(TableKey::isUnique).toList();
    }

    /** Whether a key with this part can be on the table. */
    private static boolean isPossible(TableDefinition table, KeyPart part) {
        return part.isExpression() || table.column(part.column()).isPresent();
    }

    private static List<HashedKey> ofParents(
            TableDefinition table, Function<TableName, Optional<TableDefinition>> tables) {
        List<HashedKey> found = new ArrayList<>();
        for (ForeignKey key : table.foreignKeys()) {
            TableDefinition parent = tables.apply(key.referenced()).orElse(null);
            TableKey target = parent == null ? null : target(key, table, parent).orElse(null);
            if (target == null) {
                continue; // the parent is unknown, or its transactions are alone
            }
            List<HashedColumn> own = new ArrayList<>();
            for (KeyPart part : target.parts()) {
                String name = key.columns().get(place(key, part.column()));
                own.add(new HashedColumn(small(name), form(table, name).orElseThrow(), 0));
            }
            long seed = seed(parent.name(), columns(parent, target).orElseThrow());
            HashedKey one = new HashedKey(seed, own, HashedKey.Mode.SHARED, KeyHash.of(text(parent.name())));
            if (!found.contains(one)) {
                found.add(one);
            }
        }
        return found;
    }

    /**
     * The unique key of the parent by whose hash a transaction of the child and one of the parent are compared. Empty if a change of the parent can
     * change rows of the child, or if the values cannot be compared by a hash: then the transactions of the parent are alone.
     */
    private static Optional<TableKey> target(ForeignKey key, TableDefinition child, TableDefinition parent) {
        if (changesChild(key)) {
            return Optional.empty();
        }
        return uniqueKeys(parent).stream()
                .filter(each -> isReferencedBy(each, key))
                .filter(each -> each.parts().stream().allMatch(part -> {
                    String own = key.columns().get(place(key, part.column()));
                    return isComparable(child, own, parent, part.column());
                }))
                .findFirst();
    }

    /** Whether a foreign key references exactly the columns of a unique key. */
    private static boolean isReferencedBy(TableKey unique, ForeignKey key) {
        return unique.parts().size() == key.referencedColumns().size()
                && key.columns().size() == key.referencedColumns().size()
                && unique.parts().stream()
                        .allMatch(part -> !part.isExpression() && part.prefix() == 0 && place(key, part.column()) >= 0);
    }

    /** The index of a referenced column, -1 for none. */
    private static int place(ForeignKey key, String column) {
        for (int i = 0; i < key.referencedColumns().size(); i++) {
            if (key.referencedColumns().get(i).equalsIgnoreCase(column)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether equal values of two columns have equal hashes. */
    private static boolean isComparable(TableDefinition child, String own, TableDefinition parent, String other) {
        Optional<KeyForm> form = form(child, own);
        if (form.isEmpty() || !form.equals(form(parent, other))) {
            return false;
        }
        SqlType a = child.column(own).orElseThrow().type();
        SqlType b = parent.column(other).orElseThrow().type();
        return switch (form.get()) {
            case TEXT, FOLDED_TEXT -> a.charset().equals(b.charset());
            case BYTES, PADDED_BYTES -> true;
            default ->
                a.name().equals(b.name())
                        && a.unsigned() == b.unsigned()
                        && a.decimals() == b.decimals()
                        && (a.isInteger() || a.length() == b.length())
                        && a.values().equals(b.values());
        };
    }

    /** The columns of a key; empty if its values are not in row images, or their equality is not known. */
    private static Optional<List<HashedColumn>> columns(TableDefinition table, TableKey key) {
        List<HashedColumn> columns = new ArrayList<>();
        for (KeyPart part : key.parts()) {
            Optional<KeyForm> form = part.isExpression() ? Optional.empty() : form(table, part.column());
            if (form.isEmpty()) {
                return Optional.empty();
            }
            columns.add(new HashedColumn(small(part.column()), form.get(), part.prefix()));
        }
        return Optional.of(columns);
    }

    /** The form of a column's values; empty if they cannot be hashed. */
    private static Optional<KeyForm> form(TableDefinition table, String name) {
        Column column = table.column(name).orElse(null);
        return column == null || column.isVirtual() ? Optional.empty() : form(column.type());
    }

    /** The form of the values of a type in a key; empty if their equality is not known. */
    public static Optional<KeyForm> form(SqlType type) {
        return switch (type.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "enum", "set", "bit" ->
                Optional.of(KeyForm.FIXED);
            case "date", "time", "datetime", "timestamp", "year" -> Optional.of(KeyForm.FIXED);
            case "decimal" -> Optional.of(KeyForm.DECIMAL);
            case "float" -> Optional.of(KeyForm.FLOAT);
            case "double" -> Optional.of(KeyForm.DOUBLE);
            case "binary", "inet4", "inet6", "uuid" -> Optional.of(KeyForm.PADDED_BYTES);
            case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> Optional.of(KeyForm.BYTES);
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" ->
                KeyCollations.formOf(type.collation());
            default -> Optional.empty();
        };
    }

    private static long seed(TableName table, List<HashedColumn> columns) {
        StringBuilder text = new StringBuilder(text(table));
        columns.forEach(
                column -> text.append('\0').append(column.name()).append('\0').append(column.prefix()));
        return KeyHash.of(text.toString());
    }

    /** Names are compared without letter case, because some servers do so. */
    private static String text(TableName table) {
        return small(table.schema()) + '\0' + small(table.table());
    }

    private static String small(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
