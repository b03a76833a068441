package io.tributary.changes;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables whose rows were read. A definition is asked for when rows of a table are read first, when its table map changes, and after each statement
 * that may have changed it. For one thread.
 *
 * <p>Rows may have the columns of an older definition or of a newer one: of a shard that a schema change has not reached (ddl.rows=pass), or of a server
 * whose definitions of now are asked for. They are read if their table map names the columns (binlog_row_metadata=FULL).
 */
final class ChangeTables {
    /** Table maps of one table between two statements that change it; older ones are forgotten. */
    private static final int MOST_MAPS = 16;

    private final ChangeDefinitions definitions;
    private final Map<TableName, List<Known>> known = new HashMap<>();
    private long versions;

    /** A table, and the body of the table map for which it was made. */
    private record Known(byte[] map, ChangeTable table) {
        private boolean isFor(ByteBuffer view, int from, int end) {
            return view.slice(from, end - from).equals(ByteBuffer.wrap(map));
        }
    }

    ChangeTables(ChangeDefinitions definitions) {
        this.definitions = definitions;
    }

    /** The table of a checked table map. */
    ChangeTable of(TableName name, ByteBuffer view, int at, int end, Gtid transaction) {
        int from = TableMapEvent.bodyAt(view, at);
        List<Known> maps = known.computeIfAbsent(name, unused -> new ArrayList<>());
        for (int i = maps.size() - 1; i >= 0; i--) {
            if (maps.get(i).isFor(view, from, end)) {
                return maps.get(i).table;
            }
        }
        LoggedTable logged = new LoggedTable(view, at, end);
        ChangeTable table = new ChangeTable(definition(name, logged, transaction), logged.shape(), ++versions);
        byte[] map = new byte[end - from];
        view.get(from, map);
        if (maps.size() == MOST_MAPS) {
            maps.remove(0);
        }
        maps.add(new Known(map, table));
        return table;
    }

    private TableDefinition definition(TableName name, LoggedTable logged, Gtid transaction) {
        Optional<TableDefinition> definition = definitions.after(transaction, name);
        if (definition.isPresent() && logged.hasColumnsOf(definition.get())) {
            return definition.get();
        }
        if (logged.namesColumns()) {
            try {
                return logged.definition(name, definition);
            } catch (IllegalArgumentException e) {
                throw unfit(name, transaction, "columns of known types and character sets", e.getMessage());
            }
        }
        if (definition.isEmpty()) {
            throw unfit(
                    name,
                    transaction,
                    "a definition",
                    "none that the account may read; grant it SELECT on the table, or leave the table out");
        }
        throw unfit(
                name,
                transaction,
                "rows with the columns of " + CreateTable.text(definition.get())
                        + ", or binlog_row_metadata=FULL, with which rows of other columns can be read",
                logged.shape().columnCount() + " columns, or other types, without names");
    }

    private static TributaryException unfit(TableName table, Gtid transaction, String expected, String found) {
        return new TributaryException(
                ErrorCode.REPLAY_FAILED,
                "table " + table + " in transaction " + transaction + ": expected " + expected + ", found " + found);
    }

    /** A statement may have changed tables. */
    void changed(StreamStatement statement) {
        StatementKind kind = statement.parsed().kind();
        boolean isOfTables = kind == StatementKind.TABLE && !statement.targets().isEmpty();
        if (isOfTables) {
            statement.targets().forEach(known::remove);
        } else if (kind == StatementKind.TABLE || kind == StatementKind.SCHEMA || kind == StatementKind.OTHER) {
            known.clear();
        }
    }
}
