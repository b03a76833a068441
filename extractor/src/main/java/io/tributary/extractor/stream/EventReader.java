package io.tributary.extractor.stream;

import static io.tributary.mysql.event.EventType.FORMAT_DESCRIPTION_EVENT;
import static io.tributary.mysql.event.EventType.HEARTBEAT_LOG_EVENT_V2;
import static io.tributary.mysql.event.EventType.TRANSACTION_PAYLOAD_EVENT;
import static io.tributary.mysql.event.EventType.XA_PREPARE_LOG_EVENT;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Count;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Question;
import io.tributary.common.value.RefusedTransaction;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.Xid;
import io.tributary.extractor.EventPosition;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TransactionState;
import io.tributary.extractor.TransactionState.Phase;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.HeartbeatEvent;
import io.tributary.mysql.event.PayloadUnpacker;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TransactionPayloadEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import java.nio.ByteBuffer;

/**
 * A reader of a shard's events, one by one: it recognizes transactions and makes one token for each GTID. An unknown event is refused, never
 * skipped. If an operator can decide about its transaction, the token carries a question, and reading continues. No objects are created per
 * event.
 */
public final class EventReader implements AutoCloseable {
    private static final int UNPACK_WINDOW = 256 << 10;

    private final String shard;
    private final EventPosition position;
    private final SourceTables tables;
    private final PayloadWriter payload;
    private final TokenWriter tokens;
    private final RowsReader rows;
    private final StatementReader statements;
    private final SkippedTransactionReader skipped;
    private final TransactionState open;
    private final PolarDbxTimestamps timestamps;
    private final Checksum checksum = new Checksum();
    private final PayloadUnpacker unpacker = new PayloadUnpacker(UNPACK_WINDOW);
    private final PayloadUnpacker.Sink unpacked = this::readUnpacked;
    private final MariadbStream mariadb;
    private final long payloadLimit;
    private boolean checksummed;
    private boolean isByPosition;
    private boolean isReadBefore; // the current transaction, or it is read later
    private Corrections corrections = Corrections.NONE;
    private long newestTimestamp;

    public EventReader(
            ShardSource source, SourceTables tables, TokenWriter tokens, StatementFilter filter, long payloadLimit) {
        this.shard = source.name();
        this.position = tokens.position();
        this.tables = tables;
        this.payload = tokens.payload();
        this.tokens = tokens;
        this.open = new TransactionState();
        this.timestamps = new PolarDbxTimestamps(open, tables.hasMarker());
        this.rows = new RowsReader(tables, payload, open);
        this.statements = new StatementReader(source, filter, tokens, open, timestamps);
        this.skipped = new SkippedTransactionReader(source, open, tokens, new TsoReader(tables, open, timestamps));
        this.mariadb = new MariadbStream(tables.hasMarker(), tokens.sent(), UNPACK_WINDOW);
        this.payloadLimit = payloadLimit;
    }

    /**
     * Begins a stream.
     *
     * @param withChecksums whether its first events have checksums
     * @param foldsNames whether the shard compares names without regard to letter case
     * @param byPosition whether the stream may contain transactions that were read before
     */
    public void streamBegins(boolean withChecksums, boolean foldsNames, boolean byPosition) {
        forgetTransaction();
        isByPosition = byPosition;
        isReadBefore = false;
        statements.streamBegins(foldsNames);
        mariadb.streamBegins(tokens.sent());
        tables.forget();
        checksummed = withChecksums;
    }

    /**
     * Limits the stream that has begun to corrections.
     *
     * @param only {@link Corrections#NONE} for a stream of all other transactions
     */
    void correct(Corrections only) {
        corrections = only;
        tables.correct(only);
    }

    /** The number of transactions that were left out because an operator ordered it. */
    Count leftOut() {
        return skipped.leftOut();
    }

    /** Seconds since 1970 of the newest event with a timestamp; 0 before the first. */
    long newestTimestamp() {
        return newestTimestamp;
    }

    /**
     * Reads one event of the stream.
     *
     * @return whether there is room for the next one
     * @throws TributaryException with shard, position and GTID in its message
     */
    public boolean event(ByteBuffer view, int at, int length) {
        try {
            int type = EventHeader.type(view, at);
            int end = at + length;
            if (type == FORMAT_DESCRIPTION_EVENT) {
                end -= Checksum.LENGTH;
                checksummed = FormatDescriptionEvent.checksumAlgorithm(view, end) == Checksum.CRC32;
            } else if (checksummed) {
                end -= Checksum.LENGTH;
            }
            if (EventType.category(type) != EventCategory.HEARTBEAT) {
                position.advance(EventHeader.logPos(view, at), length);
            }
            if (checksummed) {
                checksum.verify(view, at);
            }
            long sent = tokens.tokens();
            newestTimestamp = Math.max(newestTimestamp, EventHeader.timestamp(view, at));
            readOrAsk(view, at, end, type);
            return sent == tokens.tokens() || tokens.hasRoom();
        } catch (TributaryException e) {
            throw new TributaryException(e.code(), place() + ": " + e.getMessage() + remedy(e.code()), e);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) { // an event with wrong lengths
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    place() + ": expected a well-formed " + EventType.name(EventHeader.type(view, at)) + ", found "
                            + e.getMessage() + remedy(ErrorCode.EVENT_MALFORMED),
                    e);
        }
    }

    /** A transaction that would be refused again on each attempt can be left out: the command for it. */
    private String remedy(ErrorCode code) {
        return open.isOpen() && code.severity() != Severity.RETRY
                ? "; to leave exactly this transaction out: "
                        + new RefusedTransaction(shard, new Gtid(open.sid(), open.gno())).command()
                : "";
    }

    private String place() {
        return "shard " + shard + " at " + position + " (" + open + ")";
    }

    /** Reads an event. If it is refused and an operator can decide about its transaction, it and the rest of the transaction are skipped. */
    private void readOrAsk(ByteBuffer view, int at, int end, int type) {
        try {
            read(view, at, end, type);
        } catch (TributaryException e) {
            if (!open.isOpen() || !isDecidable(e.code(), view, at, type)) {
                throw e;
            }
            if (open.question() == null) {
                skipped.ask(new Question(e.code(), place() + ": " + e.getMessage()));
            }
            if (type == TRANSACTION_PAYLOAD_EVENT) {
                open.readAgain();
            }
            read(view, at, end, type);
        }
    }

    /** Whether the error concerns only this transaction, so that the others can be read without it. */
    private boolean isDecidable(ErrorCode code, ByteBuffer view, int at, int type) {
        return switch (code) {
            case STATEMENT_FORMAT, DDL_UNSUPPORTED, PAYLOAD_TOO_LARGE, EVENT_UNKNOWN -> true;
            case SHARD_UNFIT -> RowsEvent.isRows(type) && rows.lackColumns(view, at);
            default -> false;
        };
    }

    private void read(ByteBuffer view, int at, int end, int type) {
        if (isReadBefore && !endsReadBefore(type) || open.isSkipped() && skipped.accept(view, at, end, type)) {
            return;
        }
        switch (EventType.category(type)) {
            case GTID -> gtid(view, at, end);
            case TABLE_MAP -> rows.tableMap(view, at, end);
            case ROWS -> rows.rows(view, at, end, type);
            case COMMIT -> {
                open.require(Phase.ROWS, type);
                statements.finishLocal();
            }
            case STATEMENT -> statements.query(view, at, end);
            case ROWS_QUERY -> {
                open.requireRows(type);
                payload.rowsQuery(view, at, end);
            }
            case XA_PREPARE -> xaPrepare(view, at, end);
            case TRANSACTION_PAYLOAD -> transactionPayload(view, at, end);
            case COMPRESSED_STATEMENT, COMPRESSED_ROWS -> compressed(view, at, end);
            case IGNORED -> {} // about the shard's own log or group, or ignorable
            case COMMIT_TIMESTAMP -> timestamps.read(view, at, end);
            case STATEMENT_CONTEXT -> open.statementContextRead();
            case FORMAT_DESCRIPTION -> formatDescription(view, at, end);
            case ROTATE -> rotate(view, at, end);
            case HEARTBEAT -> heartbeat(view, at, end, type);
            case ANONYMOUS_GTID, LOAD_DATA, ENCRYPTION, INCIDENT, UNSUPPORTED ->
                RefusedEvents.requireIgnorable(view, at, type);
        }
    }

    private boolean endsReadBefore(int type) {
        switch (EventType.category(type)) {
            case GTID, ANONYMOUS_GTID, FORMAT_DESCRIPTION, ROTATE -> isReadBefore = false;
            default -> {}
        }
        return !isReadBefore;
    }

    private void transactionPayload(ByteBuffer view, int at, int end) {
        open.require(Phase.BEGUN, TRANSACTION_PAYLOAD_EVENT);
        TransactionPayloadEvent.check(view, at, end);
        if (open.isSkipped()) {
            unpacker.unpackSmall(view, at, end, unpacked);
        } else {
            unpacker.unpack(view, at, end, payloadLimit, unpacked);
        }
    }

    private void readUnpacked(ByteBuffer view, int at, int end) {
        int type = EventHeader.type(view, at);
        if (type == TRANSACTION_PAYLOAD_EVENT) {
            throw open.misplaced(type);
        }
        readOrAsk(view, at, end, type);
    }

    /** Reads a compressed event of MariaDB; of a skipped transaction only statements arrive here. */
    private void compressed(ByteBuffer view, int at, int end) {
        ByteBuffer plain;
        try {
            plain = mariadb.unpack(view, at, end, payloadLimit);
        } catch (TributaryException e) {
            if (!open.isSkipped() || e.code() != ErrorCode.PAYLOAD_TOO_LARGE) {
                throw e;
            }
            skipped.skipLargeStatement();
            return;
        }
        readOrAsk(plain, 0, plain.limit(), EventHeader.type(plain, 0));
    }

    private void gtid(ByteBuffer view, int at, int end) {
        if (open.isOpen()) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected the end of the transaction, found the next GTID");
        }
        open.begin(view, at, end, position);
        if (open.isMariadb()) {
            mariadb.requireNext(open.sid(), open.gno());
        } else if (isReadLater()) {
            isReadBefore = true;
            forgetTransaction();
            return;
        } else if (tokens.hasSent(open.sid(), open.gno())) {
            if (!isByPosition) {
                throw repeated();
            }
            isReadBefore = true;
            forgetTransaction();
            return;
        }
        skipped.begins();
        timestamps.gtidRead();
    }

    /** Whether the transaction is none of the corrections to which the stream is limited. */
    private boolean isReadLater() {
        return !corrections.gtids().isEmpty() && !corrections.gtids().contains(open.sid(), open.gno());
    }

    private TributaryException repeated() {
        return new TributaryException(
                ErrorCode.SHARD_HISTORY_LOST,
                "expected a transaction that was not read before, found " + open.sid() + ":" + open.gno()
                        + " a second time: the shard's binlog was reset");
    }

    private void xaPrepare(ByteBuffer view, int at, int end) {
        open.require(Phase.BRANCH, XA_PREPARE_LOG_EVENT);
        XaPrepareEvent.check(view, at, end);
        if (XaPrepareEvent.isOnePhase(view, at)) {
            statements.finishLocal();
            return;
        }
        Xid xid = XaPrepareEvent.xid(view, at);
        if (!xid.equals(open.xid())) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    "expected the prepare of branch " + open.xid() + ", found that of " + xid);
        }
        var touched = payload.tables(); // before the payload is finished
        tokens.putPrepare(open, xid, payload.finish(), touched);
        open.end();
    }

    private void formatDescription(ByteBuffer view, int at, int end) {
        FormatDescriptionEvent.check(view, at, end);
        statements.logBegins(ServerVersion.of(FormatDescriptionEvent.serverVersion(view, at)));
        forgetTransaction(); // a crash truncated it: the shard rolled it back
        tables.forget();
    }

    private void rotate(ByteBuffer view, int at, int end) {
        RotateEvent.check(view, at, end);
        position.enter(RotateEvent.fileName(view, at, end), RotateEvent.position(view, at));
        tables.forget();
    }

    private void heartbeat(ByteBuffer view, int at, int end, int type) {
        HeartbeatEvent.check(view, at, end);
        String file = HeartbeatEvent.fileName(view, at, end);
        if (type == HEARTBEAT_LOG_EVENT_V2 && file.equals(position.file())) {
            position.enter(file, HeartbeatEvent.position(view, at, end));
        }
    }

    /** Discards the unfinished transaction: it will be read again, or was rolled back. */
    public void forgetTransaction() {
        timestamps.forget();
        payload.discard();
        open.end();
    }

    @Override
    public void close() {
        unpacker.close();
        mariadb.close();
        payload.close();
        tokens.close();
    }
}
