package io.tributary.extractor;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The table ids of one shard, good within one of its binlog files: a small open-addressed table and the last answer, so that a
 * table map that is known costs a comparison and no object.
 */
final class SourceTables {
    private static final int ID_LENGTH = 6;
    private static final int START_SIZE = 64;

    private final TableRegistry registry;
    private final TableMapping mapping;
    private final SchemaFilter filter;
    private final TableName marker;
    private final long serverId;
    private SourceTable[] slots = new SourceTable[START_SIZE];
    private int count;
    private SourceTable last;

    /** @param marker the table whose rows carry TSOs; null for none */
    SourceTables(TableRegistry registry, TableMapping mapping, SchemaFilter filter, TableName marker, long serverId) {
        this.registry = registry;
        this.mapping = mapping;
        this.filter = filter;
        this.marker = marker;
        this.serverId = serverId;
    }

    /** Another file begins: ids mean nothing any more. */
    void forget() {
        slots = new SourceTable[START_SIZE];
        count = 0;
        last = null;
    }

    /** The table of an id; null when no table map of this file has named it. */
    SourceTable find(long sourceId) {
        if (last != null && last.sourceId() == sourceId) {
            return last;
        }
        SourceTable found = slots[slot(sourceId)];
        if (found != null) {
            last = found;
        }
        return found;
    }

    /** What a table map says. */
    SourceTable map(ByteBuffer view, int at, int end) {
        int body = at + EventHeader.LENGTH;
        long id = TableMapEvent.tableId(view, at);
        SourceTable known = find(id);
        if (known != null && known.isSaidBy(view, body, end)) {
            return known;
        }
        TableMapEvent.check(view, at, end);
        SourceTable table = make(id, view, at, end);
        put(table);
        last = table;
        return table;
    }

    private SourceTable make(long id, ByteBuffer view, int at, int end) {
        byte[] source = new byte[end - at - EventHeader.LENGTH];
        view.get(at + EventHeader.LENGTH, source);
        TableName physical = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        if (physical.equals(marker)) {
            return SourceTable.marker(id, source, MarkerRow.imageLength(view, at));
        }
        if (filter.leavesOut(physical.schema())) {
            boolean isHeartbeat = physical.schema().equals(HeartbeatTable.SCHEMA)
                    && physical.table().equals(HeartbeatTable.TABLE);
            if (isHeartbeat) {
                HeartbeatRow.checkTable(view, at);
            }
            return SourceTable.leftOut(id, source, isHeartbeat);
        }
        TableName logical = mapping.apply(physical);
        byte[] schema = logical.schema().getBytes(StandardCharsets.UTF_8);
        byte[] table = logical.table().getBytes(StandardCharsets.UTF_8);
        ByteBuffer rendered =
                ByteBuffer.allocateDirect(TableMapEvent.rewrittenLength(view, at, end, schema.length, table.length));
        TableMapEvent.rewrite(view, at, end, 0, schema, table, rendered, 0);
        byte[] body = new byte[rendered.capacity() - EventHeader.LENGTH - ID_LENGTH];
        rendered.get(EventHeader.LENGTH + ID_LENGTH, body);
        TableRef ref = registry.table(logical.schema(), logical.table(), body);
        TableMapEvent.setTableId(rendered, 0, ref.id());
        EventHeader.setServerId(rendered, 0, serverId);
        EventHeader.setLogPos(rendered, 0, 0);
        return SourceTable.kept(id, source, ref, rendered);
    }

    private void put(SourceTable table) {
        if (count * 2 >= slots.length) {
            SourceTable[] old = slots;
            slots = new SourceTable[old.length * 2];
            for (SourceTable one : old) {
                if (one != null) {
                    slots[slot(one.sourceId())] = one;
                }
            }
        }
        int slot = slot(table.sourceId());
        count += slots[slot] == null ? 1 : 0;
        slots[slot] = table;
    }

    /** Where the id stands, or the free slot where it would. */
    private int slot(long sourceId) {
        int mask = slots.length - 1;
        int slot = (int) sourceId & mask;
        while (slots[slot] != null && slots[slot].sourceId() != sourceId) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
