package io.tributary.apply.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Rows as INSERT, UPDATE and DELETE statements. Rows of one event that are inserted or deleted are one statement, as long as it is short. After each
 * UPDATE and DELETE the number of rows is checked. In tables that are not transactional, and in all if a row may have been applied before, a row
 * overwrites what is in its way and no number is checked. For one session.
 */
public final class SqlRows implements RowForm {
    private static final int USUAL = 1 << 17;
    private static final int MOST_PREPARED = 1 << 10;

    private final TargetTables tables;
    private final boolean overwrites;
    private final Map<Long, SqlTable> byId = new HashMap<>();
    private final Map<Long, Prepared> prepared = new HashMap<>();
    private StatementPacket packet;
    private boolean checksForeignKeys = true;

    /**
     * What was made for a table id. A node may use the id for another table map after a restart, and a statement may have changed the table.
     *
     * @param map the table map event after its header
     */
    private record Prepared(SqlTable table, TargetTable target, byte[] map) {
        /** Tables are read again after each statement, so another object may be another table. */
        @SuppressWarnings("ReferenceEquality")
        boolean isFor(TargetTable now, ByteBuffer body) {
            return target == now && ByteBuffer.wrap(map).equals(body);
        }
    }

    /** @param overwrites whether a row may have been applied before */
    public SqlRows(TargetTables tables, boolean overwrites) {
        this.tables = tables;
        this.overwrites = overwrites;
    }

    @Override
    public void add(StatementPacket into, byte[] events) {
        packet = into;
        checksForeignKeys = true; // as each packet ends, and after an error
        byId.clear();
        ByteBuffer view = ByteBuffer.wrap(events);
        int end;
        for (int at = 0; at < events.length; at = end) {
            end = EventHeader.end(view, at);
            int type = EventHeader.type(view, at);
            if (type == EventType.TABLE_MAP_EVENT) {
                byId.put(TableMapEvent.tableId(view, at), table(view, at, end));
            } else if (RowsEvent.isRows(type)) {
                rows(view, at, end);
            }
        }
        checkForeignKeys(true);
    }

    private SqlTable table(ByteBuffer view, int at, int end) {
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        TargetTable target = tables.known(name);
        long id = TableMapEvent.tableId(view, at);
        int from = at + EventHeader.LENGTH;
        ByteBuffer body = view.slice(from, end - from);
        Prepared known = prepared.get(id);
        if (known == null || !known.isFor(target, body)) {
            byte[] map = new byte[end - from];
            body.get(0, map);
            if (prepared.size() == MOST_PREPARED) {
                prepared.clear();
            }
            known = new Prepared(new SqlTable(target, TableShape.of(view, at, end)), target, map);
            prepared.put(id, known);
        }
        return known.table();
    }

    private void rows(ByteBuffer view, int at, int end) {
        SqlTable table = byId.get(RowsEvent.tableId(view, at));
        if (table == null) {
            return; // an event without rows that only ends a statement
        }
        requireWholeRows(table, view, at);
        boolean isSafe = overwrites || !table.isTransactional();
        boolean replaces =
                isSafe && !RowsEvent.isDelete(view, at); // what is deleted to be replaced must not delete children
        checkForeignKeys(!replaces && (RowsEvent.flags(view, at) & RowsEvent.NO_FOREIGN_KEY_CHECKS_F) == 0);
        int from = RowsEvent.rowsAt(view, at);
        if (RowsEvent.isWrite(view, at)) {
            inserts(table, view, from, end, isSafe);
        } else if (RowsEvent.isUpdate(view, at)) {
            updates(table, view, from, end, isSafe);
        } else {
            deletes(table, view, from, end, isSafe);
        }
    }

    private void inserts(SqlTable table, ByteBuffer view, int from, int end, boolean isSafe) {
        int next = from;
        while (next < end) {
            ByteBuf text = begin(end - next);
            int begun = text.writerIndex();
            table.beginInsert(text, isSafe);
            do {
                next = table.row(text, view, next, end);
            } while (next < end && text.writerIndex() - begun < USUAL);
        }
    }

    private void deletes(SqlTable table, ByteBuffer view, int from, int end, boolean isSafe) {
        int next = from;
        while (next < end) {
            ByteBuf text = begin(end - next);
            int begun = text.writerIndex();
            table.beginDelete(text);
            int rows = 0;
            do {
                next = table.condition(text, view, next, end);
                rows++;
            } while (table.deletesTogether() && next < end && text.writerIndex() - begun < USUAL);
            table.endDelete(text);
            if (!isSafe) {
                packet.add(StatementPacket.requireRows(rows));
            }
        }
    }

    private void updates(SqlTable table, ByteBuffer view, int from, int end, boolean isSafe) {
        int next = from;
        while (next < end) {
            if (isSafe) {
                ByteBuf delete = begin(end - next);
                table.beginDelete(delete);
                int after = table.condition(delete, view, next, end);
                table.endDelete(delete);
                ByteBuf insert = begin(end - after);
                table.beginInsert(insert, true);
                next = table.row(insert, view, after, end);
            } else {
                next = update(table, view, next, end);
            }
        }
    }

    private int update(SqlTable table, ByteBuffer view, int before, int end) {
        int next = table.locateBoth(view, before, end);
        if (table.hasChanges(view)) {
            ByteBuf text = begin(next - before);
            table.update(text, view);
            packet.add(StatementPacket.requireRows(1));
        }
        return next;
    }

    /** @param rows bytes of rows that it may have */
    private ByteBuf begin(int rows) {
        packet.begin((int) Math.min(Integer.MAX_VALUE, 3L * rows));
        return packet.text();
    }

    private void checkForeignKeys(boolean checks) {
        if (checks != checksForeignKeys) {
            packet.add("SET foreign_key_checks = " + (checks ? 1 : 0));
            checksForeignKeys = checks;
        }
    }

    private static void requireWholeRows(SqlTable table, ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        if (RowsEvent.isPartial(type) || !RowsEvent.hasAllColumns(view, at)) {
            throw new TributaryException(
                    ErrorCode.REPLAY_FAILED,
                    table.name() + ": expected rows with all columns in all images (binlog_row_image=FULL,"
                            + " binlog_row_value_options=''), found " + EventType.name(type)
                            + " that lacks some; correct the setting on the shards, or use apply.backend=events");
        }
    }
}
