package io.tributary.seed.replay;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.protocol.client.EventConsumer;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Set;

/**
 * Reads the events of the stream up to a transaction, and passes transactions to the sessions. It blocks while the sessions have no room. For
 * one thread.
 */
final class ReplayInput implements EventConsumer {
    private static final int USUAL_PIECE = 1 << 20;

    private final Gtid last;
    private final DirtyTables dirty;
    private final ReplayListener listener;
    private final ReplayOutput output;
    private final Checksum checksum = new Checksum();
    private TransactionRows rows;
    private long mostHeld;
    private boolean checksummed;
    private Sid sid;
    private ReplayTransaction transaction;
    private boolean hasBegun;
    private boolean isPassedOver;
    private boolean isAtEnd;
    private long events;

    /** @param last the transaction after which it ends */
    ReplayInput(Gtid last, ReplayScope scope, ReplayListener listener, ReplayOutput output) {
        this.last = last;
        this.dirty = new DirtyTables(scope, this::tablesOf);
        this.listener = listener;
        this.output = output;
        this.sid = last.sid();
    }

    /**
     * Sets how the stream begins, and limits.
     *
     * @param withChecksums whether its first events have checksums
     * @param packet max_allowed_packet of the target
     * @param held maximum bytes of a transaction that is held as a whole
     */
    void begin(boolean withChecksums, long packet, long held) {
        checksummed = withChecksums;
        mostHeld = held;
        int most = (int) Math.min(Integer.MAX_VALUE - 16, BinlogText.eventsIn(packet));
        rows = new TransactionRows(Math.min(USUAL_PIECE, most), most, this::piece);
    }

    /** Whether the last transaction was read. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Events read so far that are not heartbeats. */
    long events() {
        return events;
    }

    Set<TableName> dirtyTables() {
        return dirty.all();
    }

    @Override
    public boolean event(ByteBuffer view, int at, int length) {
        int end = at + length;
        int type = EventHeader.type(view, at);
        EventCategory category = EventType.category(type);
        if (type == EventType.FORMAT_DESCRIPTION_EVENT) {
            end -= Checksum.LENGTH;
            FormatDescriptionEvent.check(view, at, end);
            checksummed = FormatDescriptionEvent.checksumAlgorithm(view, end) == Checksum.CRC32;
        } else if (checksummed) {
            checksum.verify(view, at);
            end -= Checksum.LENGTH;
        }
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
        if (!sid.equals(last.sid()) || gtid.gno() > last.gno()) {
            throw unexpected("transactions up to " + last, "transaction " + gtid);
        }
        transaction = new ReplayTransaction(
                gtid, GtidEvent.lastCommitted(view, at, end), GtidEvent.sequenceNumber(view, at, end));
        hasBegun = false;
        isPassedOver = false;
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
            statement(StreamStatement.of(view, at, end, output.isOldTarget()));
        }
    }

    private Collection<TableName> tablesOf(String schema) {
        return output.tablesOf(schema, transaction.gtid().gno());
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
        output.seen(statement, transaction);
        DirtyTables.Effect effect = dirty.decide(statement, transaction.gtid().gno());
        if (!effect.becomesDirty().isEmpty()) {
            output.drain();
            listener.dirty(effect.becomesDirty(), transaction.gtid().gno());
            output.drop(effect.becomesDirty());
        }
        isPassedOver = !effect.runs();
        if (createsFromSelect) {
            if (effect.runs()) {
                output.beginWith(statement, transaction);
            }
            return;
        }
        if (effect.runs()) {
            output.run(statement, transaction);
        } else {
            output.submit(transaction);
        }
        ended();
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
        RowTreatment treatment = isPassedOver
                ? RowTreatment.PASS_OVER
                : dirty.treatment(name, transaction.gtid().gno());
        if (treatment != RowTreatment.PASS_OVER) {
            transaction.touches(name);
        }
        rows.tableMap(view, at, end, name, treatment);
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
        if (output.isInTransaction()) {
            output.piece(transaction, events);
            return;
        }
        transaction.add(events);
        if (transaction.bytes() > mostHeld) {
            output.begin(transaction);
        }
    }

    private void commit() {
        if (transaction == null) {
            throw unexpected("a GTID", "the end of a transaction");
        }
        rows.end();
        if (output.isInTransaction()) {
            output.commit(transaction);
        } else {
            output.submit(transaction);
        }
        ended();
    }

    private void ended() {
        isAtEnd = transaction.gtid().gno() == last.gno();
        transaction = null;
    }

    private static TributaryException unexpected(String expected, String found) {
        return new TributaryException(
                ErrorCode.SEED_FAILED, "the stream of the node: expected " + expected + ", found " + found);
    }
}
