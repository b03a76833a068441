package io.tributary.extractor.stream;

import static io.tributary.mysql.event.EventType.QUERY_EVENT;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Count;
import io.tributary.common.value.Question;
import io.tributary.common.value.TokenBody.CommittedBranch;
import io.tributary.common.value.TokenBody.RolledBackBranch;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.EventPosition;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TransactionState;
import io.tributary.extractor.TransactionState.Phase;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.mysql.event.xa.XaStatement;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader of a transaction that an operator ordered to leave out, or about which an operator has to decide. It uses only the events that
 * show where the transaction ends and which TSO it has. A branch of a distributed transaction keeps its token without rows, so that its COMMIT
 * finds it. A COMMIT that is left out counts as a rollback.
 */
final class SkippedTransactionReader {
    private static final Logger LOG = LoggerFactory.getLogger(SkippedTransactionReader.class);

    private final String shard;
    private final GtidSet ordered; // transactions to leave out
    private final EventPosition position;
    private final TransactionState open;
    private final PayloadWriter payload;
    private final TokenWriter tokens;
    private final TsoReader tso;
    private final QueryRewriter rewriter = new QueryRewriter();
    private final Count leftOut = new Count();

    SkippedTransactionReader(ShardSource source, TransactionState open, TokenWriter tokens, TsoReader tso) {
        this.shard = source.name();
        this.ordered = source.from().leftOut();
        this.position = tokens.position();
        this.open = open;
        this.payload = tokens.payload();
        this.tokens = tokens;
        this.tso = tso;
    }

    /** The number of transactions that were left out. */
    Count leftOut() {
        return leftOut;
    }

    /** Begins a transaction: leaves it out if that was ordered. */
    void begins() {
        if (!ordered.isEmpty() && ordered.contains(open.sid(), open.gno())) {
            open.leaveOut();
        }
    }

    /** Marks the transaction with a question for an operator, and discards what was read of it. The current event must still be accepted. */
    void ask(Question question) {
        payload.discard();
        open.ask(question);
    }

    /** Reads one event of a skipped transaction; false for an event that must be read normally. */
    boolean accept(ByteBuffer view, int at, int end, int type) {
        switch (EventType.category(type)) {
            case FORMAT_DESCRIPTION, ROTATE, HEARTBEAT, TRANSACTION_PAYLOAD, COMPRESSED_STATEMENT -> {
                return false;
            }
            case GTID -> {
                end(TokenKind.LOCAL, null); // the next transaction begins, so this one has ended
                return false;
            }
            default -> {
                read(view, at, end, type);
                return true;
            }
        }
    }

    /** Skips a statement that is too large to be read: it neither begins nor ends a transaction, and is not XA. */
    void skipLargeStatement() {
        if (open.phase() == Phase.BEGUN) {
            end(TokenKind.DDL, null);
        }
    }

    private void read(ByteBuffer view, int at, int end, int type) {
        switch (EventType.category(type)) {
            case STATEMENT -> {
                QueryEvent.check(view, at, end);
                if (open.phase() == Phase.BEGUN) {
                    first(view, at, end);
                } else {
                    inside(view, at, end);
                }
            }
            case COMMIT -> end(TokenKind.LOCAL, null);
            case XA_PREPARE -> {
                XaPrepareEvent.check(view, at, end);
                if (XaPrepareEvent.isOnePhase(view, at)) {
                    end(TokenKind.LOCAL, null);
                } else {
                    end(TokenKind.PREPARE, XaPrepareEvent.xid(view, at));
                }
            }
            default -> readTso(view, at, end, type);
        }
    }

    /** Reads the TSO. A transaction that is left out has none if it cannot be read: this may be the reason why it is left out. */
    private void readTso(ByteBuffer view, int at, int end, int type) {
        try {
            tso.read(view, at, end, type);
        } catch (TributaryException e) {
            if (!open.isLeftOut()) {
                throw e;
            }
        }
    }

    private void first(ByteBuffer view, int at, int end) {
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            open.rowsFollow();
        } else if (XaStatement.isOne(view, at, end)) {
            XaStatement statement = XaStatement.parse(view, at, end);
            open.branchFollows(statement.xid());
            if (statement.verb() != XaStatement.Verb.START) {
                readTso(view, at, end, QUERY_EVENT);
                boolean isCommit = statement.verb() == XaStatement.Verb.COMMIT;
                end(isCommit ? TokenKind.COMMIT : TokenKind.ROLLBACK, statement.xid());
            }
        } else if (rewriter.parse(view, at, end).createsFromSelect()) {
            open.rowsFollow();
        } else {
            end(TokenKind.DDL, null);
        }
    }

    private void inside(ByteBuffer view, int at, int end) {
        boolean isOver = QueryEvent.textIs(view, at, end, "COMMIT") || QueryEvent.textIs(view, at, end, "ROLLBACK");
        boolean isRolledBack = open.phase() == Phase.BRANCH
                && XaStatement.isOne(view, at, end)
                && XaStatement.parse(view, at, end).verb() == XaStatement.Verb.ROLLBACK;
        if (isOver || isRolledBack) {
            end(TokenKind.LOCAL, null);
        }
    }

    /** @param kind the kind that the token would have without the skip */
    private void end(TokenKind kind, Xid xid) {
        if (open.isLeftOut()) {
            leaveOut(kind, xid);
        } else if (kind == TokenKind.COMMIT || kind == TokenKind.ROLLBACK) {
            LOG.warn(
                    "XA outcome kept, other content of its transaction not: outcome={} xid={} question=\"{}\"",
                    kind,
                    xid,
                    open.question().message());
            tokens.put(open, kind == TokenKind.COMMIT ? new CommittedBranch(xid) : new RolledBackBranch(xid));
        } else {
            tokens.putQuestion(kind, open, xid);
        }
        open.end();
    }

    private void leaveOut(TokenKind kind, Xid xid) {
        LOG.warn(
                "transaction left out: shard={} before={} transaction=\"{}{}\" reason=\"tributary shard skip\""
                        + " effect=\"its rows are not in the global binlog\"",
                shard,
                position,
                open,
                open.xid() == null ? "" : " of XA " + open.xid());
        leftOut.add(1);
        payload.discard();
        switch (kind) {
            case PREPARE -> tokens.putPrepare(open, xid, payload.finish(), List.of());
            case COMMIT, ROLLBACK -> tokens.put(open, new RolledBackBranch(xid));
            default -> tokens.putSkipped(open);
        }
    }
}
