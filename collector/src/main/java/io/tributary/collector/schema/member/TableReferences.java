package io.tributary.collector.schema.member;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which tables in the output have foreign keys to which tables. Names are compared without letter case. For one thread. */
public final class TableReferences {
    private static final Comparator<TableName> BY_NAME =
            Comparator.comparing(TableName::schema).thenComparing(TableName::table);

    private final Map<TableName, Set<TableName>> children = new HashMap<>();
    private final Map<TableName, Set<TableName>> parents = new HashMap<>();

    /** The tables with foreign keys to a table, in the order of their names. */
    public Set<TableName> to(TableName parent) {
        Set<TableName> sorted = new TreeSet<>(BY_NAME);
        sorted.addAll(children.getOrDefault(small(parent), Set.of()));
        return sorted;
    }

    /**
     * Sets the definition of a table.
     *
     * @return the tables that it references, or has referenced until now
     */
    public Set<TableName> defined(TableName table, Optional<TableDefinition> definition) {
        Set<TableName> now = new HashSet<>();
        definition.ifPresent(each -> each.foreignKeys().stream()
                .map(ForeignKey::referenced)
                .map(TableReferences::small)
                .forEach(now::add));
        Set<TableName> before = now.isEmpty() ? parents.remove(table) : parents.put(table, now);
        Set<TableName> concerned = new LinkedHashSet<>(now);
        if (before != null) {
            concerned.addAll(before);
            before.forEach(parent -> children.get(parent).remove(table));
            before.forEach(parent -> children.computeIfPresent(parent, (name, all) -> all.isEmpty() ? null : all));
        }
        now.forEach(parent ->
                children.computeIfAbsent(parent, name -> new HashSet<>()).add(table));
        return concerned;
    }

    /** A name in small letters. */
    public static TableName small(TableName name) {
        return new TableName(
                name.schema().toLowerCase(Locale.ROOT), name.table().toLowerCase(Locale.ROOT));
    }
}
