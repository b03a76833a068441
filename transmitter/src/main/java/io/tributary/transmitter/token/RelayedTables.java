package io.tributary.transmitter.token;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A map from a relay's table ids to this node's tables: a small open-addressed table. It is cleared when it has grown large, because every
 * payload names its tables again. The physical names stay until the relay announces that it sends them again.
 */
final class RelayedTables {
    private static final int START_SIZE = 64;
    private static final int MOST = 1 << 14;

    private final TableShapes shapes;
    private Relayed[] slots = new Relayed[START_SIZE];
    private int count;
    private Relayed last;
    private final Map<Long, TableName> physicals = new HashMap<>();

    /** One of the relay's tables; {@code alone} is a list of {@code ref} only. */
    record Relayed(long id, TableRef ref, List<TableRef> alone) {}

    RelayedTables(TableShapes shapes) {
        this.shapes = shapes;
    }

    /** Forgets the physical names: the relay sends them again. */
    void forgetNames() {
        physicals.clear();
    }

    /**
     * Sets the physical name of a table whose name on its shard is not the logical one; called only between two payloads. A table map without
     * rows may have arrived before the name: then the table is mapped again.
     */
    void name(long id, TableName physical) {
        physicals.put(id, physical);
        Relayed known = find(id);
        if (known != null && !known.ref().physical().equals(physical)) {
            forget();
        }
    }

    /** Begins a payload, which names its tables again. */
    void payloadBegins() {
        if (count > MOST) {
            forget();
        }
    }

    private void forget() {
        slots = new Relayed[START_SIZE];
        count = 0;
        last = null;
    }

    /** The table of a relay's id; null if no table map has named it. */
    Relayed find(long id) {
        if (last != null && last.id() == id) {
            return last;
        }
        Relayed found = slots[slot(id)];
        if (found != null) {
            last = found;
        }
        return found;
    }

    /** The table of a table map event; added if it is not known. */
    Relayed map(ByteBuffer view, int at, int end) {
        Relayed known = find(TableMapEvent.tableId(view, at));
        if (known != null) {
            return known;
        }
        TableMapEvent.check(view, at, end);
        long id = TableMapEvent.tableId(view, at);
        TableName physical = physicals.get(id);
        if (physical == null) {
            physical = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        }
        TableRef ref = shapes.table(view, at, end, physical);
        Relayed table = new Relayed(id, ref, List.of(ref));
        put(table);
        last = table;
        return table;
    }

    private void put(Relayed table) {
        if (count * 2 >= slots.length) {
            Relayed[] old = slots;
            slots = new Relayed[old.length * 2];
            for (Relayed one : old) {
                if (one != null) {
                    slots[slot(one.id())] = one;
                }
            }
        }
        slots[slot(table.id())] = table;
        count++;
    }

    /** The slot of the id, or the free slot for it. */
    private int slot(long id) {
        int mask = slots.length - 1;
        int slot = (int) id & mask;
        while (slots[slot] != null && slots[slot].id() != id) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
