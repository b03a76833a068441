package io.tributary.changes;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The tables whose rows were read. A definition is asked for when rows of a table are read first, when its table map changes, and after each statement
 * that may have changed it. For one thread.
 */
final class ChangeTables {
    private final ChangeDefinitions definitions;
    private final Map<TableName, Known> known = new HashMap<>();
    private long versions;

    /** A table, and the body of the table map for which it was made. */
    private record Known(byte[] map, ChangeTable table) {
        private boolean isFor(ByteBuffer view, int from, int end) {
            if (map.length != end - from) {
                return false;
            }
            for (int i = 0; i < map.length; i++) {
                if (map[i] != view.get(from + i)) {
                    return false;
                }
            }
            return true;
        }
    }

    ChangeTables(ChangeDefinitions definitions) {
        this.definitions = definitions;
    }

    /** The table of a checked table map. */
    ChangeTable of(ByteBuffer view, int at, int end, Gtid transaction) {
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        int from = TableMapEvent.bodyAt(view, at);
        Known before = known.get(name);
        if (before != null && before.isFor(view, from, end)) {
            return before.table;
        }
        TableDefinition definition = definitions
                .after(transaction, name)
                .orElseThrow(() -> unfit(
                        name,
                        transaction,
                        "a definition",
                        "none that the account may read; grant it SELECT on the table, or leave the table out"));
        requireSameColumns(definition, view, at, transaction);
        byte[] map = new byte[end - from];
        view.get(from, map);
        ChangeTable table = new ChangeTable(definition, TableShape.of(view, at, end), ++versions);
        known.put(name, new Known(map, table));
        return table;
    }

    /** The columns, their types and whether they allow NULL are in each table map, in front of what depends on the server's settings. */
    private static void requireSameColumns(TableDefinition definition, ByteBuffer view, int at, Gtid transaction) {
        int from = TableMapEvent.bodyAt(view, at);
        int end = TableMapEvent.optionalAt(view, at);
        boolean isSame = isSame(definition, false, view, from, end) || isSame(definition, true, view, from, end);
        if (!isSame) {
            throw unfit(
                    definition.name(),
                    transaction,
                    "rows with the columns of " + CreateTable.text(definition),
                    TableMapEvent.columnCount(view, at) + " columns, or other types");
        }
    }

    private static boolean isSame(TableDefinition definition, boolean isMariadb, ByteBuffer view, int from, int end) {
        byte[] body = TableMap.body(definition, new Metadata(Metadata.Kind.NONE, isMariadb, 0));
        return new Known(body, null).isFor(view, from, end);
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
