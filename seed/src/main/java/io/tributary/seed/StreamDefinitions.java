package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.NodeDefinitions;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** The definitions of tables that a node's stream has after each of its transactions. */
final class StreamDefinitions {
    private final SqlSession node;
    private final Sid stream;

    /** @param node a session on the node's MySQL port; not owned */
    StreamDefinitions(SqlSession node) {
        this.node = node;
        this.stream = new Sid(UUID.fromString(node.value("SELECT @@GLOBAL.server_uuid")));
    }

    /** The last transaction of the stream of which all before it are in the set; 0 if it has none. */
    long contiguous(GtidSet executed) {
        return executed.firstMissing(stream, Gtid.MIN_GNO) - 1;
    }

    /** The tables that the stream has after a transaction; none for 0. */
    Set<TableName> tables(long transaction, Collection<TableName> candidates) {
        return after(transaction, candidates).keySet();
    }

    /** Those of some tables whose definition after a transaction is another one. After 0 there is none to compare. */
    Set<TableName> changed(Collection<LogicalTable> tables, long transaction) {
        Set<TableName> changed = new LinkedHashSet<>();
        if (transaction > 0) {
            Map<TableName, TableDefinition> then =
                    after(transaction, tables.stream().map(LogicalTable::name).toList());
            for (LogicalTable table : tables) {
                if (!table.definition().equals(then.getOrDefault(table.name(), table.definition()))) {
                    changed.add(table.name());
                }
            }
        }
        return changed;
    }

    private Map<TableName, TableDefinition> after(long transaction, Collection<TableName> candidates) {
        return transaction == 0
                ? Map.of()
                : NodeDefinitions.after(node, new Gtid(stream, transaction)).read(candidates);
    }

    /** Refuses tables that the account which replicates may not read: their events are not in its stream. */
    void requireReadable(SqlSession source, List<LogicalTable> seeded) {
        List<TableName> names = seeded.stream().map(LogicalTable::name).toList();
        Set<TableName> hidden = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        hidden.addAll(NodeDefinitions.now(node).read(names).keySet());
        hidden.retainAll(names);
        hidden.removeAll(NodeDefinitions.now(source).read(names).keySet());
        if (!hidden.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "--tables: expected only tables that the account "
                            + source.peer().endpoint().credentials().user() + " of --source-user may read, found also "
                            + hidden + " | give --tables the list of tributary user --tables");
        }
    }
}
