package io.tributary.changes;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.replay.stream.EventEnds;
import io.tributary.replay.stream.StreamInput;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.replay.stream.TransactionInput;
import io.tributary.schema.definition.TableDefinition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the transactions of a binlog, with the definition of each table, for a {@link ChangeHandler}. For one thread. */
public final class ChangeInput implements StreamInput {

    private final ChangeHandler handler;
    private final ChangeDefinitions definitions;
    private final ChangeTables tables;
    private final EventEnds ends = new EventEnds();
    private final Map<Long, ChangeTable> mapped = new HashMap<>();
    private boolean isAtEnd;
    private String file = "";
    private long position;
    private Sid sid;
    private ChangeTransaction transaction;
    private boolean hasBegun;
    private long events;

    public ChangeInput(ChangeHandler handler, ChangeDefinitions definitions) {
        this.handler = handler;
        this.definitions = definitions;
        this.tables = new ChangeTables(definitions);
    }

    /** No more events are accepted. */
    public void finish() {
        isAtEnd = true;
    }

    @Override
    public void begin(boolean withChecksums) {
        ends.begin(withChecksums);
        transaction = null;
        mapped.clear();
    }

    @Override
    public boolean isAtEnd() {
        return isAtEnd;
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public boolean event(ByteBuffer view, int at, int length) {
        int type = EventHeader.type(view, at);
        EventCategory category = EventType.category(type);
        int end = ends.of(view, at, length);
        if (category != EventCategory.HEARTBEAT) {
            events++;
        }
        if (category != EventCategory.FORMAT_DESCRIPTION && category != EventCategory.HEARTBEAT) {
            position = EventHeader.endOffset(position, EventHeader.logPos(view, at));
        }
        switch (category) {
            case GTID -> gtid(view, at, end, position - length);
            case STATEMENT -> statement(view, at, end);
            case TABLE_MAP -> tableMap(view, at, end);
            case ROWS -> rows(view, at, end);
            case COMMIT -> commit();
            case ROTATE -> rotate(view, at, end);
            case FORMAT_DESCRIPTION, HEARTBEAT, IGNORED, ROWS_QUERY, STATEMENT_CONTEXT -> {
                // has no change
            }
            default ->
                throw TransactionInput.unexpected(
                        "transactions with GTIDs, of rows and statements", EventType.name(type));
        }
        return !isAtEnd;
    }

    private void rotate(ByteBuffer view, int at, int end) {
        RotateEvent.check(view, at, end);
        file = RotateEvent.fileName(view, at, end);
        position = RotateEvent.position(view, at);
    }

    private void gtid(ByteBuffer view, int at, int end, long begin) {
        int type = EventHeader.type(view, at);
        if (transaction != null || type != EventType.GTID_LOG_EVENT) {
            throw TransactionInput.unexpected(
                    "the end of a transaction, then a GTID without a tag", EventType.name(type));
        }
        GtidEvent.check(view, at, end);
        sid = GtidEvent.sid(view, at, sid);
        Gtid gtid = new Gtid(sid, GtidEvent.gno(view, at));
        transaction = new ChangeTransaction(gtid, GtidEvent.immediateCommitMicros(view, at, end), file, begin);
        handler.begin(transaction);
        hasBegun = false;
        mapped.clear();
    }

    private void statement(ByteBuffer view, int at, int end) {
        QueryEvent.check(view, at, end);
        if (transaction == null) {
            throw TransactionInput.unexpected("a GTID", "a statement");
        }
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            hasBegun = true;
        } else if (QueryEvent.textIs(view, at, end, "COMMIT")) {
            commit();
        } else {
            statement(StreamStatement.of(view, at, end, false));
        }
    }

    private void statement(StreamStatement statement) {
        StatementKind kind = statement.parsed().kind();
        boolean isControl = kind == StatementKind.TRANSACTION;
        String verb = statement.parsed().verb();
        if (isControl && (verb.startsWith("ROLLBACK") || verb.startsWith("XA"))) {
            throw TransactionInput.unexpected(
                    "rows that are committed in transaction " + transaction.gtid()
                            + " (a node writes XA transactions so)",
                    "the statement " + statement);
        }
        if (!isControl) {
            tables.changed(statement);
            handler.statement(change(statement));
        }
        if (!hasBegun) {
            commit();
        }
    }

    private ChangeStatement change(StreamStatement statement) {
        StatementKind kind = statement.parsed().kind();
        List<TableDefinition> after = new ArrayList<>();
        if (kind == StatementKind.TABLE) {
            for (TableName name : statement.targets()) {
                definitions.after(transaction.gtid(), name).ifPresent(after::add);
            }
        }
        return new ChangeStatement(
                kind,
                statement.parsed().verb(),
                statement.schema(),
                new String(statement.text().bytes(), statement.text().charset()),
                statement.targets(),
                after);
    }

    private void tableMap(ByteBuffer view, int at, int end) {
        requireTransaction(EventType.TABLE_MAP_EVENT);
        TableMapEvent.check(view, at, end);
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        long id = TableMapEvent.tableId(view, at);
        mapped.put(id, handler.wants(name) ? tables.of(name, view, at, end, transaction.gtid()) : null);
    }

    private void rows(ByteBuffer view, int at, int end) {
        requireTransaction(EventHeader.type(view, at));
        RowsEvent.check(view, at, end);
        long id = RowsEvent.tableId(view, at);
        ChangeTable table = mapped.get(id);
        if (table != null) {
            handler.rows(table, view, at, end);
        } else if (!mapped.containsKey(id) && RowsEvent.rowsAt(view, at) != end) {
            throw TransactionInput.unexpected("a table map of table id " + id + " before its rows", "none");
        }
        if (RowsEvent.endsStatement(view, at)) {
            mapped.clear();
        }
    }

    private void requireTransaction(int type) {
        if (transaction == null || !hasBegun) {
            throw TransactionInput.unexpected("a GTID and BEGIN", EventType.name(type));
        }
    }

    private void commit() {
        if (transaction == null) {
            throw TransactionInput.unexpected("a GTID", "the end of a transaction");
        }
        transaction = null;
        handler.end(file, position);
    }
}
