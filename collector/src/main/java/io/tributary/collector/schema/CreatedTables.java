package io.tributary.collector.schema;

import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.SchemaState.CreatedTable;
import io.tributary.common.value.SchemaState.Written;
import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables that were created in the stream, and the statements on each that have been written since. If a script that creates and changes a table runs
 * on one shard after another, a later member starts with the first one's CREATE and executes the changes too. The newest tables are kept. For one
 * thread.
 */
final class CreatedTables {
    /** The maximum of tables and statements together. */
    private static final int MOST = 1000;

    private final Map<TableName, Created> tables = new LinkedHashMap<>();
    private int size;

    private record Created(String createId, List<Written> statements) {
        int size() {
            return 1 + statements.size();
        }
    }

    CreatedTables(List<CreatedTable> from) {
        for (CreatedTable each : from) {
            add(each.table(), new Created(each.createId(), new ArrayList<>(each.statements())));
        }
    }

    private void add(TableName table, Created created) {
        remove(table);
        tables.put(table, created);
        size += created.size();
        Iterator<Created> oldest = tables.values().iterator();
        while (size > MOST && tables.size() > 1) {
            size -= oldest.next().size();
            oldest.remove();
        }
    }

    /** A CREATE TABLE has been written. */
    void created(TableName table, String createId) {
        add(table, new Created(createId, new ArrayList<>()));
    }

    /** A statement that changes a table has been written. */
    void written(TableName table, Part part, String text) {
        Created created = tables.get(table);
        if (created != null && created.statements.size() < MOST) {
            created.statements.add(new Written(part, text));
            add(table, created);
        }
    }

    /** The table has been written under another name. */
    void renamed(TableName from, TableName to) {
        Created created = tables.get(from);
        remove(from);
        if (created != null) {
            add(to, created);
        }
    }

    void remove(TableName table) {
        Created gone = tables.remove(table);
        size -= gone == null ? 0 : gone.size();
    }

    /** Removes all tables of a dropped schema. */
    void removeSchema(String schema) {
        for (TableName table : List.copyOf(tables.keySet())) {
            if (table.schema().equals(schema)) {
                remove(table);
            }
        }
    }

    /** The statements that a member which is created by this statement still has to execute. */
    List<Written> since(TableName table, String createId) {
        Created created = tables.get(table);
        return created == null || !created.createId.equals(createId) ? List.of() : List.copyOf(created.statements);
    }

    /** All tables, for the cut. */
    List<CreatedTable> all() {
        return tables.entrySet().stream()
                .map(each -> new CreatedTable(each.getKey(), each.getValue().createId, each.getValue().statements))
                .toList();
    }
}
