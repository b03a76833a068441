package io.tributary.replay.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Assembles the transactions of a stream for a {@link TransactionHandler}. For one thread. */
public final class TransactionInput implements StreamInput {
    private static final int USUAL_PIECE = 1 << 20;

    private final TransactionHandler handler;
    private final EventEnds ends = new EventEnds();
    private final TransactionRows rows;
    private final long mostHeld;
    private boolean isAtEnd;
    private Sid sid;
    private ReplayTransaction transaction;
    private boolean hasBegun;
    private boolean isPassedOver;
    private boolean isHandled;
    private long events;

    /**
     * @param packet max_allowed_packet of the target, bytes
     * @param mostHeld maximum bytes of a transaction that is held as a whole
     */
    public TransactionInput(TransactionHandler handler, long packet, long mostHeld) {
        this.handler = handler;
        this.mostHeld = mostHeld;
        int most = (int) Math.min(Integer.MAX_VALUE - 16, BinlogText.eventsIn(packet));
        this.rows = new TransactionRows(Math.min(USUAL_PIECE, most), most, this::piece);
    }

    @Override
    public void begin(boolean withChecksums) {
        ends.begin(withChecksums);
        transaction = null;
    }

    /** No more events are accepted. */
    public void finish() {
        isAtEnd = true;
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
        switch (category) {
            case GTID -> gtid(view, at, end, type);
            case STATEMENT -> statement(view, at, end);
            case TABLE_MAP -> tableMap(view, at, end);
            case ROWS -> rows(view, at, end);
            case COMMIT -> commit();
            case FORMAT_DESCRIPTION, ROTATE, HEARTBEAT, IGNORED, ROWS_QUERY, STATEMENT_CONTEXT -> {
                // nothing for the target
            }
            default -> throw unexpected("transactions with GTIDs, of rows and statements", EventType.name(type));
        }
        return !isAtEnd;
    }

    private void gtid(ByteBuffer view, int at, int end, int type) {
        if (transaction != null || type != EventType.GTID_LOG_EVENT) {
            throw unexpected("the end of a transaction, then a GTID without a tag", EventType.name(type));
        }
        GtidEvent.check(view, at, end);
        sid = GtidEvent.sid(view, at, sid);
        Gtid gtid = new Gtid(sid, GtidEvent.gno(view, at));
        handler.begins(gtid);
        transaction = new ReplayTransaction(
                gtid,
                GtidEvent.lastCommitted(view, at, end),
                GtidEvent.sequenceNumber(view, at, end),
                GtidEvent.immediateCommitMicros(view, at, end));
        hasBegun = false;
        isPassedOver = false;
        isHandled = false;
        rows.begin();
    }

    private void statement(ByteBuffer view, int at, int end) {
        QueryEvent.check(view, at, end);
        if (transaction == null) {
            throw unexpected("a GTID", "a statement");
        }
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            hasBegun = true;
        } else if (QueryEvent.textIs(view, at, end, "COMMIT")) {
            commit();
        } else {
            statement(StreamStatement.of(view, at, end, handler.isOldTarget()));
        }
    }

    private void statement(StreamStatement statement) {
        if (hasBegun && statement.parsed().kind() == StatementKind.TRANSACTION) {
            requireNoRollback(statement);
            return;
        }
        boolean createsFromSelect = hasBegun && statement.parsed().createsFromSelect();
        if (hasBegun != createsFromSelect) {
            throw unexpected("rows in " + transaction, "the statement " + statement);
        }
        if (createsFromSelect) {
            isHandled = handler.beginsWith(statement, transaction);
            isPassedOver = !isHandled;
        } else {
            handler.statement(statement, transaction);
            transaction = null;
        }
    }

    /** SAVEPOINT has no effect; a rollback to one would. */
    private void requireNoRollback(StreamStatement statement) {
        if (statement.parsed().verb().startsWith("ROLLBACK")) {
            throw unexpected("rows in " + transaction, "the statement " + statement);
        }
    }

    private void tableMap(ByteBuffer view, int at, int end) {
        requireTransaction(EventType.TABLE_MAP_EVENT);
        TableMapEvent.check(view, at, end);
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        RowTreatment treatment = isPassedOver ? RowTreatment.PASS_OVER : handler.treatment(name, transaction);
        TableName target = handler.onTarget(name);
        if (treatment != RowTreatment.PASS_OVER) {
            transaction.touches(target);
        }
        byte[] event = new byte[end - at];
        view.get(at, event);
        rows.tableMap(target.equals(name) ? event : named(event, target), target, treatment);
    }

    private static byte[] named(byte[] map, TableName name) {
        ByteBuffer event = ByteBuffer.wrap(map);
        ByteBuffer renamed = TableMapEvent.renamed(
                event,
                0,
                map.length,
                name.schema().getBytes(StandardCharsets.UTF_8),
                name.table().getBytes(StandardCharsets.UTF_8));
        TableMapEvent.setTableId(renamed, 0, TableMapEvent.tableId(event, 0));
        byte[] bytes = new byte[renamed.limit()];
        renamed.get(0, bytes);
        return bytes;
    }

    private void rows(ByteBuffer view, int at, int end) {
        requireTransaction(EventHeader.type(view, at));
        RowsEvent.check(view, at, end);
        rows.rows(view, at, end);
    }

    private void requireTransaction(int type) {
        if (transaction == null || !hasBegun) {
            throw unexpected("a GTID and BEGIN", EventType.name(type));
        }
    }

    private void piece(byte[] events) {
        if (isHandled) {
            handler.piece(transaction, events);
            return;
        }
        transaction.add(events);
        if (transaction.bytes() > mostHeld) {
            handler.begin(transaction);
            isHandled = true;
        }
    }

    private void commit() {
        if (transaction == null) {
            throw unexpected("a GTID", "the end of a transaction");
        }
        rows.end();
        ReplayTransaction ended = transaction;
        transaction = null;
        if (isHandled) {
            handler.end(ended);
        } else {
            handler.whole(ended);
        }
    }

    /** The error for a stream that cannot be applied. */
    public static TributaryException unexpected(String expected, String found) {
        return new TributaryException(
                ErrorCode.REPLAY_FAILED, "the stream of the node: expected " + expected + ", found " + found);
    }
}
