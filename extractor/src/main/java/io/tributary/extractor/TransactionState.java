package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Question;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.GtidTaggedLogEvent;
import io.tributary.mysql.event.mariadb.MariadbGtidEvent;
import java.nio.ByteBuffer;

/** The state of the transaction whose GTID has been read and whose end has not; one instance is used for all transactions of a shard. */
public final class TransactionState {
    /** How far the transaction has been read. */
    public enum Phase {
        /** No transaction is open. */
        NONE,
        /** Its GTID has been read. */
        BEGUN,
        /** BEGIN has been read: rows follow, then a commit. */
        ROWS,
        /** XA START has been read: rows follow, then XA END and XA prepare. */
        BRANCH
    }

    private static final long MICROS = 1_000_000;

    private Phase phase = Phase.NONE;
    private Sid sid;
    private long gno;
    private long commitMicros;
    private long eventMicros;
    private long lastCommitted;
    private long sequenceNumber;
    private String file = "";
    private long offset;
    private Xid xid;
    private long round;
    private long roundClock;
    private long roundTso;
    private long tso;
    private boolean hasStatementContext;
    private boolean leftOut;
    private Question question;
    private boolean isUndoneAlter;
    private Ddl ddl;
    private HiddenChange hidden = HiddenChange.NONE;

    /** Begins a transaction with its GTID event, of MariaDB or MySQL, tagged or not. */
    public void begin(ByteBuffer view, int at, int end, EventPosition position) {
        forgetLast();
        phase = Phase.BEGUN;
        eventMicros = EventHeader.timestamp(view, at) * MICROS;
        file = position.file();
        offset = position.start();
        int type = EventHeader.type(view, at);
        if (type == EventType.MARIADB_GTID_EVENT) {
            mariadbGtid(view, at, end);
        } else if (type == EventType.GTID_TAGGED_LOG_EVENT) {
            GtidTaggedLogEvent.check(view, at, end);
            sid = GtidTaggedLogEvent.sid(view, at, end, sid);
            gno = GtidTaggedLogEvent.gno(view, at, end);
            commitMicros = GtidTaggedLogEvent.immediateCommitMicros(view, at, end);
            lastCommitted = GtidTaggedLogEvent.lastCommitted(view, at, end);
            sequenceNumber = GtidTaggedLogEvent.sequenceNumber(view, at, end);
        } else {
            GtidEvent.check(view, at, end);
            sid = GtidEvent.sid(view, at, sid);
            gno = GtidEvent.gno(view, at);
            commitMicros = GtidEvent.immediateCommitMicros(view, at, end);
            lastCommitted = GtidEvent.lastCommitted(view, at, end);
            sequenceNumber = GtidEvent.sequenceNumber(view, at, end);
        }
    }

    private void forgetLast() {
        xid = null;
        round = 0;
        roundClock = 0;
        roundTso = 0;
        tso = 0;
        hasStatementContext = false;
        leftOut = false;
        question = null;
        isUndoneAlter = false;
        ddl = null;
        hidden = HiddenChange.NONE;
    }

    /** Reads MariaDB's GTID event, which also begins the transaction; it has no clocks. */
    private void mariadbGtid(ByteBuffer view, int at, int end) {
        MariadbGtidEvent.check(view, at, end);
        sid = MariadbGtidEvent.sid(view, at, sid);
        gno = MariadbGtidEvent.sequence(view, at);
        commitMicros = 0;
        lastCommitted = 0;
        sequenceNumber = 0;
        isUndoneAlter = MariadbGtidEvent.isUndoneAlter(view, at, end);
        int flags = MariadbGtidEvent.flags(view, at);
        if ((flags & MariadbGtidEvent.FL_PREPARED_XA) != 0) {
            branchFollows(MariadbGtidEvent.xid(view, at));
        } else if ((flags & (MariadbGtidEvent.FL_STANDALONE | MariadbGtidEvent.FL_COMPLETED_XA)) == 0) {
            rowsFollow();
        }
    }

    /** Ends or discards the transaction. */
    public void end() {
        phase = Phase.NONE;
    }

    /** @throws TributaryException EVENT_MALFORMED if the transaction is not in the phase that an event of this type needs */
    public void require(Phase expected, int type) {
        if (phase != expected) {
            throw misplaced(type);
        }
    }

    /** @throws TributaryException EVENT_MALFORMED if an event of this type, which belongs to rows, is not allowed here */
    public void requireRows(int type) {
        if (phase != Phase.ROWS && phase != Phase.BRANCH) {
            throw misplaced(type);
        }
    }

    public TributaryException misplaced(int type) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED,
                "expected no " + EventType.name(type) + " here, found one in state " + phase + " of the transaction");
    }

    public void rowsFollow() {
        phase = Phase.ROWS;
    }

    /**
     * The transaction's CREATE TABLE ... SELECT has been read; rows follow.
     *
     * @param statement null if it is not written
     * @param change its change of hidden tables
     */
    public void rowsFollow(Ddl statement, HiddenChange change) {
        phase = Phase.ROWS;
        ddl = statement;
        hidden = change;
    }

    public void branchFollows(Xid branch) {
        phase = Phase.BRANCH;
        xid = branch;
    }

    public void roundRead(long number, long clock, long certainTso) {
        round = number;
        roundClock = clock;
        roundTso = certainTso;
    }

    /**
     * Sets the commit timestamp, from a row of the marker table, or from the shard's own commit sequence. A transaction gets its TSO only by this
     * method; it may be called any number of times with the same value.
     *
     * @param value unsigned, as in the binlog; 1..2^63-1 is a TSO
     * @throws TributaryException TSO_REFUSED for any other value, and for a second one in the same transaction
     */
    public void commitTso(long value) {
        if (value <= 0) {
            throw new TributaryException(
                    ErrorCode.TSO_REFUSED, "expected a TSO of 1 to 2^63-1, found " + Long.toUnsignedString(value));
        }
        if (tso != 0 && tso != value) {
            throw new TributaryException(
                    ErrorCode.TSO_REFUSED,
                    "expected one TSO in a transaction, found " + tso + " and " + value
                            + (xid == null ? "" : ": XA " + xid));
        }
        tso = value;
    }

    /** A user variable, a seed or an insert id was read, which later statements may use. */
    public void statementContextRead() {
        hasStatementContext = true;
    }

    /** Leaves the transaction out, because an operator ordered it. */
    public void leaveOut() {
        leftOut = true;
    }

    public boolean isLeftOut() {
        return leftOut && isOpen();
    }

    /** Marks the transaction with a question for an operator: its rows are not used. */
    public void ask(Question newQuestion) {
        question = newQuestion;
    }

    /** The question for an operator; null for none. */
    public Question question() {
        return question;
    }

    /** Whether only the events are used that show where the transaction ends and which TSO it has. */
    public boolean isSkipped() {
        return (leftOut || question != null) && isOpen();
    }

    /** Reads the event after the GTID, with all its content, once more. */
    public void readAgain() {
        phase = Phase.BEGUN;
        xid = null;
    }

    public Phase phase() {
        return phase;
    }

    /** Whether it is a transaction of MariaDB. */
    public boolean isMariadb() {
        return MariadbGtids.isOne(sid);
    }

    public boolean isOpen() {
        return phase != Phase.NONE;
    }

    public Sid sid() {
        return sid;
    }

    public long gno() {
        return gno;
    }

    /** The commit time, µs since 1970; 0 if the server writes none. */
    public long commitMicros() {
        return commitMicros;
    }

    /** The GTID event's own timestamp, µs since 1970. */
    public long eventMicros() {
        return eventMicros;
    }

    public long lastCommitted() {
        return lastCommitted;
    }

    public long sequenceNumber() {
        return sequenceNumber;
    }

    /** The file that contains its GTID. */
    public String file() {
        return file;
    }

    /** The offset at which its GTID begins. */
    public long offset() {
        return offset;
    }

    /** The branch, from XA START on. */
    public Xid xid() {
        return xid;
    }

    /** The heartbeat round that it wrote; 0 for none. */
    public long round() {
        return round;
    }

    /** The clock of that round's writer, µs since 1970. */
    public long roundClock() {
        return roundClock;
    }

    /** Its commit timestamp; 0 while none has been read. */
    public long tso() {
        return tso;
    }

    /** Every TSO up to this one was prepared on all shards, or given up, before that round; 0 if the round has no such value. */
    long roundTso() {
        return roundTso;
    }

    /** Whether its statement is an ALTER that only begins, or was rolled back, see {@link MariadbGtidEvent#isUndoneAlter}. */
    public boolean isUndoneAlter() {
        return isUndoneAlter;
    }

    /** The CREATE TABLE ... SELECT to which its rows belong; null for none. */
    public Ddl ddl() {
        return ddl;
    }

    /** The change of hidden tables by its CREATE TABLE ... SELECT. */
    public HiddenChange hidden() {
        return hidden;
    }

    public boolean hasStatementContext() {
        return hasStatementContext;
    }

    /** The transaction as in messages. */
    @Override
    public String toString() {
        return isOpen() ? "GTID " + Gtid.text(sid, gno) : "between transactions";
    }
}
