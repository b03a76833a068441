package io.tributary.apply.row;

import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.keys.KeyPlan;
import io.tributary.schema.keys.KeyReader;
import io.tributary.schema.keys.TableKeys;
import io.tributary.schema.keys.WriteSets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of the rows of transactions, by the definitions of the target. For one thread. */
public final class TargetKeys implements TableKeys.Tables {
    private static final int MOST_PLANS = 1 << 14;

    private final TargetTables tables;
    private final KeyReader reader = new KeyReader();
    private final Map<Long, Planned> plans = new HashMap<>();
    private KeyPlan[] used = new KeyPlan[16];

    /**
     * A plan for a table id. A node may use the id for another table map after a restart.
     *
     * @param map the table map event after its header
     */
    private record Planned(KeyPlan plan, byte[] map) {}

    public TargetKeys(TargetTables tables) {
        this.tables = tables;
    }

    /** Forgets all plans: a statement may have changed the tables. */
    public void clear() {
        plans.clear();
    }

    /**
     * Adds the keys of a transaction.
     *
     * @return whether all are known; else it can only be applied alone
     */
    public boolean read(ReplayTransaction transaction, WriteSets into) {
        boolean isKnown = true;
        for (byte[] piece : transaction.pieces()) {
            int index = into.count();
            ByteBuffer view = ByteBuffer.wrap(piece);
            int count = plans(view);
            boolean isAlone = false;
            for (int i = 0; i < count; i++) {
                isAlone |= used[i].isAlone() || used[i].dependsAsItsShardReports();
            }
            reader.read(used, count, view, 0, piece.length, into);
            isKnown &= !isAlone && into.isKnown(index);
        }
        return isKnown;
    }

    /**
     * Checks that the target has the tables and columns of some events.
     *
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT
     */
    public void check(byte[] events) {
        int unused = plans(ByteBuffer.wrap(events));
    }

    /** Collects the plans of all table maps of some events. */
    private int plans(ByteBuffer view) {
        int count = 0;
        int end;
        for (int at = 0; at < view.limit(); at = end) {
            end = EventHeader.end(view, at);
            if (EventHeader.type(view, at) == EventType.TABLE_MAP_EVENT) {
                if (count == used.length) {
                    used = Arrays.copyOf(used, 2 * count);
                }
                used[count++] = plan(view, at, end);
            }
        }
        return count;
    }

    private KeyPlan plan(ByteBuffer view, int at, int end) {
        long id = TableMapEvent.tableId(view, at);
        Planned known = plans.get(id);
        int body = at + EventHeader.LENGTH;
        if (known == null || !ByteBuffer.wrap(known.map()).equals(view.slice(body, end - body))) {
            byte[] map = new byte[end - body];
            view.get(body, map);
            if (plans.size() == MOST_PLANS) {
                plans.clear();
            }
            known = new Planned(made(id, view.slice(at, end - at)), map);
            plans.put(id, known);
        }
        return known.plan();
    }

    private KeyPlan made(long id, ByteBuffer map) {
        TableName name = new TableName(TableMapEvent.schema(map, 0), TableMapEvent.table(map, 0));
        TableDefinition definition = tables.require(name).definition();
        tables.requireColumns(definition, TableShape.of(map, 0, map.limit()));
        return KeyPlan.of(id, TableKeys.of(name, this), Optional.of(definition), map);
    }

    // ---- what is known of the tables

    @Override
    public Optional<TableDefinition> definition(TableName table) {
        return tables.definition(table);
    }

    @Override
    public Collection<TableDefinition> referencing(TableName table) {
        return tables.referencing(table).stream()
                .flatMap(child -> tables.definition(child).stream())
                .toList();
    }

    @Override
    public Collection<TableKey> extraKeys(TableName table) {
        return List.of();
    }
}
