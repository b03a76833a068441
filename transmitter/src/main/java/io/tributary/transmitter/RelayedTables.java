package io.tributary.transmitter;

import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a relay's table ids mean in this node: a small open-addressed table. It forgets all when it has grown large, since every
 * payload names its tables again.
 */
final class RelayedTables {
    private static final int START_SIZE = 64;
    private static final int MOST = 1 << 14;

    private final TableShapes shapes;
    private Relayed[] slots = new Relayed[START_SIZE];
    private int count;
    private Relayed last;

    /** One of the relay's tables; {@code alone} is a list of {@code ref} only. */
    record Relayed(long id, TableRef ref, List<TableRef> alone) {}

    RelayedTables(TableShapes shapes) {
        this.shapes = shapes;
    }

    /** A payload begins, which will name its tables. */
    void payloadBegins() {
        if (count > MOST) {
            slots = new Relayed[START_SIZE];
            count = 0;
            last = null;
        }
    }

    /** The table of a relay's id; null when no table map has named it. */
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

    /** What a table map says. */
    Relayed map(ByteBuffer view, int at, int end) {
        Relayed known = find(TableMapEvent.tableId(view, at));
        if (known != null) {
            return known;
        }
        TableMapEvent.check(view, at, end);
        TableRef ref = shapes.table(view, at, end);
        Relayed table = new Relayed(TableMapEvent.tableId(view, at), ref, List.of(ref));
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

    /** Where the id stands, or the free slot where it would. */
    private int slot(long id) {
        int mask = slots.length - 1;
        int slot = (int) id & mask;
        while (slots[slot] != null && slots[slot].id() != id) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
