package io.tributary.transmitter.token;

import io.netty.util.collection.LongObjectHashMap;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A map from a relay's table ids to this node's tables. It is cleared when it has grown large, because every
 * payload names its tables again. The physical names stay until the relay announces that it sends them again.
 */
final class RelayedTables {
    private static final int MOST = 1 << 14;

    private final TableShapes shapes;
    private LongObjectHashMap<Relayed> tables = new LongObjectHashMap<>();
    private Relayed last;
    private final LongObjectHashMap<TableName> physicals = new LongObjectHashMap<>();

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
        if (tables.size() > MOST) {
            forget();
        }
    }

    private void forget() {
        tables = new LongObjectHashMap<>();
        last = null;
    }

    /** The table of a relay's id; null if no table map has named it. */
    Relayed find(long id) {
        if (last != null && last.id() == id) {
            return last;
        }
        Relayed found = tables.get(id);
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
        tables.put(id, table);
        last = table;
        return table;
    }
}
