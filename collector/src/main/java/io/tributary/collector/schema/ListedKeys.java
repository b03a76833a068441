package io.tributary.collector.schema;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The unique keys that members of a table have, or have had, and that its definition in the output lacks. Their columns have their names in the
 * output. Stored in the journal, by table, so that they are known after a restart before the shards have listed their tables again. For
 * one thread.
 */
final class ListedKeys {
    private static final char END = '\0'; // is contained in no name
    private static final String PREFIX = "u" + END;

    /** The number of texts for a part of a key. */
    private static final int FIELDS_OF_PART = 3;

    private final SchemaJournal map;

    ListedKeys(SchemaJournal map) {
        this.map = map;
    }

    /** Whether a key of the journal is one of these entries. */
    static boolean isKey(String key) {
        return key.startsWith(PREFIX);
    }

    private static String key(TableName table) {
        return PREFIX + table.schema() + END + table.table() + END;
    }

    /** The keys of a table, in an order that depends on nothing but them. */
    Set<TableKey> of(TableName table) {
        Set<TableKey> keys = new LinkedHashSet<>();
        byte[] value = map.get(key(table));
        String[] fields = value == null
                ? new String[0]
                : new String(value, StandardCharsets.UTF_8).split(String.valueOf(END), -1);
        for (int at = 0; at + 1 < fields.length; ) {
            String name = fields[at];
            int end = at + 2 + FIELDS_OF_PART * Integer.parseInt(fields[at + 1]);
            List<KeyPart> parts = new ArrayList<>();
            for (at += 2; at < end; at += FIELDS_OF_PART) {
                parts.add(new KeyPart(fields[at], Integer.parseInt(fields[at + 1]), false, fields[at + 2]));
            }
            keys.add(new TableKey(TableKey.Kind.UNIQUE, name, parts, true));
        }
        return keys;
    }

    /** Its name, the number of its parts, and of each part the column, prefix and expression. */
    private static String text(TableKey key) {
        StringBuilder text = new StringBuilder();
        text.append(key.name()).append(END).append(key.parts().size()).append(END);
        for (KeyPart part : key.parts()) {
            text.append(part.column()).append(END).append(part.prefix()).append(END);
            text.append(part.expression()).append(END);
        }
        return text.toString();
    }

    private void put(TableName table, Collection<TableKey> keys) {
        if (keys.isEmpty()) {
            map.remove(key(table));
            return;
        }
        Set<String> texts = new TreeSet<>();
        keys.forEach(key -> texts.add(text(key)));
        map.put(key(table), String.join("", texts).getBytes(StandardCharsets.UTF_8));
    }

    /** Adds keys of a table. */
    void add(TableName table, Collection<TableKey> more) {
        if (!more.isEmpty()) {
            Set<TableKey> all = of(table);
            all.addAll(more);
            put(table, all);
        }
    }

    /** Adds the keys of a member that the definition of the table in the output lacks. */
    void note(TableName table, MemberDefinition own, TableDefinition output) {
        List<TableKey> keys = own.definition().map(TableDefinition::keys).orElse(List.of());
        add(
                table,
                keys.stream()
                        .filter(TableKey::isUnique)
                        .map(key -> key.withParts(key.parts().stream()
                                .map(part -> part.withColumn(own.nameInOutput(part.column())))
                                .toList()))
                        .filter(key -> !has(output, key))
                        .toList());
    }

    /** Whether a table has a unique key with the same name and values. */
    private static boolean has(TableDefinition table, TableKey key) {
        return table.keys().stream()
                .anyMatch(each -> each.isUnique()
                        && each.name().equalsIgnoreCase(key.name())
                        && text(each).equalsIgnoreCase(text(key)));
    }

    /**
     * A statement that changes a table is written. A server removes a dropped column from its keys.
     *
     * @param before the definition of the table in the output before the statement; empty if it is not known
     * @param after the same after it
     * @param renames of its columns, from the old name, in lower case
     */
    void written(
            TableName table,
            Optional<TableDefinition> before,
            Optional<TableDefinition> after,
            Map<String, String> renames) {
        List<TableKey> keys = new ArrayList<>();
        for (TableKey key : of(table)) {
            List<KeyPart> parts = new ArrayList<>();
            for (KeyPart part : key.parts()) {
                String name = renames.getOrDefault(part.column().toLowerCase(Locale.ROOT), part.column());
                boolean isDropped = !part.isExpression()
                        && after.isPresent()
                        && after.get().column(name).isEmpty()
                        && before.flatMap(each -> each.column(part.column())).isPresent();
                if (!isDropped) {
                    parts.add(part.withColumn(name));
                }
            }
            TableKey left = key.withParts(parts);
            if (!parts.isEmpty() && !after.map(each -> has(each, left)).orElse(false)) {
                keys.add(left);
            }
        }
        put(table, keys);
    }

    /** The table has been renamed. */
    void renamed(TableName from, TableName to) {
        Set<TableKey> keys = of(from);
        map.remove(key(from));
        put(to, keys);
    }

    /** A table has been dropped, or a schema with all its tables (empty table). */
    void forget(TableName table) {
        List<String> keys = new ArrayList<>();
        map.forEach(
                table.table().isEmpty() ? PREFIX + table.schema() + END : key(table), (key, value) -> keys.add(key));
        keys.forEach(map::remove);
    }
}
