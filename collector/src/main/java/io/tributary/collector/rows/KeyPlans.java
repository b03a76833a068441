package io.tributary.collector.rows;

import io.tributary.collector.schema.Definitions;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.keys.KeyPlan;
import io.tributary.schema.keys.TableKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plan for the keys of each table map that is written, from the definition of its table in the output at this position. For one thread.
 *
 * <p>Hashes of one plan cannot be compared with those of another one. So when the keys of a table change, the next transaction is separated from all
 * before it. A statement in the output does that too; but a definition may also become known later.
 */
public final class KeyPlans implements TableKeys.Tables {
    private static final Logger LOG = LoggerFactory.getLogger(KeyPlans.class);
    private static final int SLOTS = 1 << 12;
    private static final int MOST_TABLES = 1 << 16;
    private static final int MOST_MAPS_OF_TABLE = 1 << 12;

    private final Definitions definitions;
    private final Map<TableName, Planned> tables = new HashMap<>();
    private final Set<TableName> changed = new HashSet<>();

    /** Plans that were used lately, each at the index of its table id. */
    private final KeyPlan[] recent = new KeyPlan[SLOTS];

    private boolean hasOtherKeys;

    /** The keys of a table, its definition, and the plans for its table maps by table id. */
    private record Planned(TableKeys keys, Optional<TableDefinition> definition, Map<Long, KeyPlan> plans) {}

    /** @param definitions whose changes only these plans follow */
    public KeyPlans(Definitions definitions) {
        this.definitions = definitions;
        definitions.afterChange(this::changed);
    }

    private void changed(TableName table) {
        if (changed.isEmpty()) {
            Arrays.fill(recent, null);
        }
        changed.add(Definitions.small(table));
    }

    /**
     * The plan of a table map.
     *
     * @param written has the table map
     */
    public KeyPlan of(TableRef table, Payload written) {
        int slot = (int) table.id() & SLOTS - 1;
        KeyPlan plan = recent[slot];
        if (plan == null || plan.tableId() != table.id()) {
            plan = find(table, written);
            recent[slot] = plan;
        }
        return plan;
    }

    /** Whether keys of tables have changed since the last call, so that the next transaction must be separated from those before it. */
    public boolean takeOtherKeys() {
        boolean had = hasOtherKeys;
        hasOtherKeys = false;
        return had;
    }

    private KeyPlan find(TableRef ref, Payload written) {
        if (!changed.isEmpty()) {
            tables.replaceAll(
                    (name, known) -> changed.contains(Definitions.small(name)) ? changed(name, known) : known);
            changed.clear();
        }
        TableName name = new TableName(ref.schema(), ref.table());
        if (tables.size() >= MOST_TABLES && !tables.containsKey(name)) {
            tables.clear();
            Arrays.fill(recent, null);
            hasOtherKeys = true;
        }
        Planned planned = tables.computeIfAbsent(name, this::plan);
        if (planned.plans().size() >= MOST_MAPS_OF_TABLE) {
            planned.plans().clear();
        }
        return planned.plans().computeIfAbsent(ref.id(), id -> bind(ref, written, planned));
    }

    private Planned changed(TableName name, Planned before) {
        Planned now = plan(name);
        hasOtherKeys |= !now.keys().equals(before.keys());
        return now;
    }

    private Planned plan(TableName name) {
        return new Planned(TableKeys.of(name, this), definition(name), new HashMap<>());
    }

    private static KeyPlan bind(TableRef ref, Payload written, Planned planned) {
        ByteBuffer map = PayloadEvents.tableMap(written, ref.id());
        KeyPlan plan = KeyPlan.of(ref.id(), planned.keys(), planned.definition(), map);
        if (plan.isAlone() && planned.keys().kind() != TableKeys.Kind.ALONE) {
            LOG.warn(
                    "keys of rows not found: table={} reason=\"its table map differs from its definition\" effect=\"its"
                            + " transactions are applied alone\"",
                    ref.physical());
        }
        return plan;
    }

    // ---- what is known of tables

    @Override
    public Optional<TableDefinition> definition(TableName table) {
        return definitions.inOutput(table);
    }

    @Override
    public Collection<TableDefinition> referencing(TableName table) {
        return definitions.referencing(table).stream()
                .flatMap(child -> definitions.inOutput(child).stream())
                .toList();
    }

    @Override
    public Collection<TableKey> extraKeys(TableName table) {
        return definitions.listedKeys(table);
    }
}
