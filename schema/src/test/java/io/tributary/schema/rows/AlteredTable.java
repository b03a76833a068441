package io.tributary.schema.rows;

import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table that is altered: compares its reshaped rows with its rows after the alteration, both from the server's binlog.
 *
 * @param create its CREATE TABLE; its name is {@code t}, its key an INT column {@code id} that is never dropped
 * @param inserts INSERT statements of one row each, with ids from 0 up
 * @param alter the ALTER TABLE
 * @param renames old names to new ones
 * @param added new columns to the literals of their defaults; empty = no default
 */
record AlteredTable(
        String create, List<String> inserts, String alter, Map<String, String> renames, Map<String, String> added) {
    static final String ZONE = "+05:30";

    /** The time of all statements. */
    private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2024-02-29T23:59:58.987654+05:30");

    private static final int MOVED = 1000;

    /** Throws AssertionError if the rows differ from the server's; returns the number of compared rows. */
    int check(MysqlServer server, Sql sql, RowReshaper reshaper) throws SQLException {
        StringBuilder before = new StringBuilder(
                "SET sql_mode = ''; SET time_zone = '" + ZONE + "'; DROP TABLE IF EXISTS t; FLUSH BINARY LOGS; ");
        before.append(create).append("; BEGIN; ");
        inserts.forEach(insert -> before.append(insert).append("; "));
        for (int k = 0; k < inserts.size(); k++) {
            before.append("UPDATE t SET id = ")
                    .append(k + MOVED)
                    .append(" WHERE id = ")
                    .append(k)
                    .append("; ");
        }
        sql.execute(before + "COMMIT");
        LoggedRows.Table source = LoggedRows.read(server).get("t");
        StringBuilder after = new StringBuilder("SET sql_mode = 'STRICT_ALL_TABLES'; SET timestamp = "
                + MOMENT.toEpochSecond() + "." + MOMENT.getNano() / 1000 + "; ");
        after.append(alter).append("; FLUSH BINARY LOGS; BEGIN; ");
        for (int k = 0; k < inserts.size(); k++) {
            after.append("DELETE FROM t WHERE id = ").append(k + MOVED).append("; ");
        }
        sql.execute(after + "COMMIT");
        LoggedRows.Table target = LoggedRows.read(server).get("t");
        if (source.events().size() != 2 * inserts.size() || target.events().size() != inserts.size()) {
            throw new AssertionError(this + ": events are missing");
        }
        ReshapePlan plan =
                ReshapePlan.of(source.shape(), target.shape(), Columns.of(renames, constants(target.shape())));
        if (plan instanceof ReshapePlan.None none) {
            throw new AssertionError(this + ": " + none.reason());
        }
        for (int k = 0; k < inserts.size(); k++) {
            ByteBuffer insert = source.events().get(k);
            ByteBuffer update = source.events().get(inserts.size() + k);
            if (plan instanceof ReshapePlan.Total total) {
                insert = LoggedRows.reshaped(reshaper, insert, total);
                update = LoggedRows.reshaped(reshaper, update, total);
            }
            ByteBuffer deleted = target.events().get(k);
            ByteBuffer expected = rowsOf(deleted);
            ByteBuffer first = rowsOf(insert);
            ByteBuffer both = rowsOf(update);
            int length = first.limit();
            if (!both.slice(0, length).equals(first)
                    || !both.slice(length, both.limit() - length).equals(expected)) {
                throw new AssertionError(this + ", row " + k + ", " + plan(plan) + ": before " + hex(both, 0, length)
                        + ", after " + hex(both, length, both.limit()) + ", the server's "
                        + hex(expected, 0, expected.limit()) + ", inserted " + hex(first, 0, length));
            }
        }
        return inserts.size();
    }

    private static String plan(ReshapePlan plan) {
        return plan instanceof ReshapePlan.Total total ? total.operations().toString() : plan.toString();
    }

    private Map<String, AddedValue> constants(TableShape to) {
        Map<String, AddedValue> constants = new HashMap<>();
        Optional<ZoneId> zone = Optional.of(ZoneOffset.of(ZONE));
        for (int i = 0; i < to.columnCount(); i++) {
            String literal = added.get(to.name(i));
            if (literal != null) {
                AddedValue constant = isExpression(literal)
                        ? ExpressionValue.of(expression(to.name(i)), to, i, Optional.of(MOMENT))
                        : StoredValue.of(literal, false, to, i, zone);
                constants.put(to.name(i), literal.isEmpty() ? StoredValue.implicit(to, i) : constant);
            }
        }
        return constants;
    }

    private static boolean isExpression(String literal) {
        return literal.startsWith("(") || literal.startsWith("CURRENT_TIMESTAMP");
    }

    /** An expression in the form of a definition. */
    private String expression(String column) {
        ReadSession session = ReadSession.standard("d");
        TableDefinition before = DefinitionReader.create(create, session, other -> Optional.empty())
                .orElseThrow();
        TableDefinition after = DefinitionReader.alter(before, alter, session).orElseThrow();
        Default value = after.column(column).orElseThrow().defaultValue();
        return ((Default.Expression) value).text();
    }

    private static ByteBuffer rowsOf(ByteBuffer event) {
        int from = RowsEvent.rowsAt(event, 0);
        return event.slice(from, event.limit() - from);
    }

    private static String hex(ByteBuffer bytes, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < Math.min(to, from + 150); i++) {
            text.append(String.format("%02x", bytes.get(i)));
        }
        return text.toString();
    }
}
