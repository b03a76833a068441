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
import io.tributary.mysql.event.MariadbGtidEvent;
import java.nio.ByteBuffer;

/** What is known of the transaction whose GTID has been read and whose end has not; one instance, used again and again. */
final class OpenTransaction {
    /** How far it has been read. */
    enum Phase {
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

    /** Its GTID event, MariaDB's or MySQL's, tagged or not, has come. */
    void begin(ByteBuffer view, int at, int end, LogPosition position) {
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

    /** It begins the transaction too; the server writes no clocks. */
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

    /** It is over, or forgotten. */
    void end() {
        phase = Phase.NONE;
    }

    /** @throws TributaryException EVENT_MALFORMED where it has been read otherwise far than an event of this type needs */
    void require(Phase expected, int type) {
        if (phase != expected) {
            throw misplaced(type);
        }
    }

    /** @throws TributaryException EVENT_MALFORMED where an event of this type, which belongs to rows, has no place */
    void requireRows(int type) {
        if (phase != Phase.ROWS && phase != Phase.BRANCH) {
            throw misplaced(type);
        }
    }

    TributaryException misplaced(int type) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED,
                "expected no " + EventType.name(type) + " here, the transaction's state is " + phase);
    }

    void rowsFollow() {
        phase = Phase.ROWS;
    }

    /**
     * Its CREATE TABLE ... SELECT has been read; rows follow.
     *
     * @param statement null where it is not written
     * @param change what it does to hidden tables
     */
    void rowsFollow(Ddl statement, HiddenChange change) {
        phase = Phase.ROWS;
        ddl = statement;
        hidden = change;
    }

    void branchFollows(Xid branch) {
        phase = Phase.BRANCH;
        xid = branch;
    }

    void roundRead(long number, long clock, long certainTso) {
        round = number;
        roundClock = clock;
        roundTso = certainTso;
    }

    /**
     * Its commit timestamp has been read: from a row of the marker table, or from the shard's own commit sequence. The one way in
     * which a TSO reaches a transaction; it may come any number of times, always the same.
     *
     * @param value unsigned, as it stands in the binlog; 1..2^63-1 is a TSO
     * @throws TributaryException TSO_REFUSED for any other value, and for a second one in the same transaction
     */
    void commitTso(long value) {
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

    /** A user variable, a seed or an insert id has come, of which statements may make use. */
    void statementContextRead() {
        hasStatementContext = true;
    }

    /** An operator ordered to leave it out. */
    void leaveOut() {
        leftOut = true;
    }

    boolean isLeftOut() {
        return leftOut && isOpen();
    }

    /** An operator has to decide about it: none of its rows count. */
    void ask(Question newQuestion) {
        question = newQuestion;
    }

    /** What an operator has to decide; null for nothing. */
    Question question() {
        return question;
    }

    /** Whether of its events only those matter that say where it ends and at which TSO. */
    boolean isPassedOver() {
        return (leftOut || question != null) && isOpen();
    }

    /** The event behind its GTID, with all that it holds, is read once more. */
    void readsAgain() {
        phase = Phase.BEGUN;
        xid = null;
    }

    Phase phase() {
        return phase;
    }

    /** Whether it is MariaDB's. */
    boolean isMariadb() {
        return MariadbGtids.isOne(sid);
    }

    boolean isOpen() {
        return phase != Phase.NONE;
    }

    Sid sid() {
        return sid;
    }

    long gno() {
        return gno;
    }

    /** µs since 1970; 0 where the server writes none. */
    long commitMicros() {
        return commitMicros;
    }

    /** The GTID event's own timestamp, µs since 1970. */
    long eventMicros() {
        return eventMicros;
    }

    long lastCommitted() {
        return lastCommitted;
    }

    long sequenceNumber() {
        return sequenceNumber;
    }

    /** The file in which its GTID stands. */
    String file() {
        return file;
    }

    /** Where its GTID begins. */
    long offset() {
        return offset;
    }

    /** The branch, from XA START on. */
    Xid xid() {
        return xid;
    }

    /** The heartbeat round that it wrote; 0 for none. */
    long round() {
        return round;
    }

    /** The clock of that round's writer, µs since 1970. */
    long roundClock() {
        return roundClock;
    }

    /** Its commit timestamp; 0 while none has been read. */
    long tso() {
        return tso;
    }

    /** Every TSO up to this one was prepared everywhere, or given up, before that round; 0 where it says nothing. */
    long roundTso() {
        return roundTso;
    }

    /** Whether its statement is an ALTER that only begins, or was given up, see {@link MariadbGtidEvent#isUndoneAlter}. */
    boolean isUndoneAlter() {
        return isUndoneAlter;
    }

    /** The CREATE TABLE ... SELECT to which its rows belong, else null. */
    Ddl ddl() {
        return ddl;
    }

    /** What its CREATE TABLE ... SELECT does to hidden tables. */
    HiddenChange hidden() {
        return hidden;
    }

    boolean hasStatementContext() {
        return hasStatementContext;
    }

    /** As messages name it. */
    @Override
    public String toString() {
        return isOpen() ? "GTID " + Gtid.text(sid, gno) : "between transactions";
    }
}
