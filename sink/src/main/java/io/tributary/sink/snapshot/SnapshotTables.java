package io.tributary.sink.snapshot;

import io.tributary.changes.ChangeDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The tables that the stream has at the place of a snapshot, with which those of the server are compared. A MySQL server that is read in place of a node does
 * not know them; then there is nothing to compare.
 */
final class SnapshotTables {
    private final SnapshotServer server;
    private final ChangeDefinitions ofStream;
    private final Gtid place;
    private final Optional<Set<TableName>> all;

    /**
     * @param ofStream the definitions of the stream
     * @param all the tables that the stream has at the place; empty if they are not known
     */
    SnapshotTables(SnapshotServer server, Gtid place, ChangeDefinitions ofStream, Optional<Set<TableName>> all) {
        this.server = server;
        this.ofStream = ofStream;
        this.place = place;
        this.all = all;
    }

    /** @throws io.tributary.common.error.TributaryException SINK_SNAPSHOT_UNFIT if the server has not the tables that are wanted, or others */
    void requireAll(List<TableName> found, Predicate<TableName> wanted) {
        if (all.isEmpty()) {
            return;
        }
        Set<TableName> missing = new HashSet<>(all.get());
        missing.removeIf(table -> !wanted.test(table) || !SnapshotServer.isOfUsers(table));
        for (TableName table : found) {
            if (!missing.remove(table)) {
                throw server.unfit(
                        "the tables that the stream has at " + place,
                        "table " + table + ", which the node does not show to sink.user",
                        "leave it out with sink.tables, or let sink.user read it");
            }
        }
        if (!missing.isEmpty()) {
            throw server.unfit(
                    "table " + missing.stream().min(SnapshotCopy.ORDER).orElseThrow() + ", which the stream has at "
                            + place,
                    "no such table",
                    "use a server that has all tables of sink.tables, or leave it out with sink.tables");
        }
    }

    /** @throws io.tributary.common.error.TributaryException SINK_SNAPSHOT_UNFIT if a table has not the columns that it has in the stream */
    void requireSame(TableDefinition found) {
        if (all.isEmpty()) {
            return;
        }
        TableDefinition expected = ofStream.after(place, found.name())
                .orElseThrow(() -> server.unfit(
                        "a definition of table " + found.name() + " at " + place, "none", "let sink.user read it"));
        int columns = Math.max(found.columns().size(), expected.columns().size());
        for (int i = 0; i < columns; i++) {
            String wanted = text(expected, i);
            String is = text(found, i);
            if (!wanted.equals(is)) {
                throw server.unfit(
                        "table " + found.name() + " with column " + wanted + " at number " + (i + 1)
                                + ", as in the stream at " + place + ": " + CreateTable.text(expected),
                        is,
                        "use a server whose tables are those of the stream, or leave the table out with sink.tables");
            }
        }
    }

    /** What the values of a column depend on. */
    private static String text(TableDefinition table, int index) {
        if (index >= table.columns().size()) {
            return "none";
        }
        Column column = table.columns().get(index);
        SqlType type = column.type();
        StringBuilder text = new StringBuilder(column.name()).append(' ').append(type.name());
        if (type.length() > 0 || type.decimals() > 0) {
            String length = type.length() > 0 ? Integer.toString(type.length()) : "";
            String decimals = type.decimals() > 0 ? "," + type.decimals() : "";
            text.append('(').append(length).append(decimals).append(')');
        }
        text.append(type.unsigned() ? " UNSIGNED" : "");
        if (type.isCharacter()) {
            text.append(" CHARACTER SET ").append(type.charset().equals("utf8") ? "utf8mb3" : type.charset());
        }
        if (type.hasValues()) {
            text.append(' ').append(type.values());
        }
        return text.append(column.nullable() ? "" : " NOT NULL").toString();
    }
}
