package io.tributary.extractor;

import static io.tributary.mysql.event.EventType.*;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Count;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.OpenTransaction.Phase;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XaPrepareEvent;
import io.tributary.mysql.event.XaStatement;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a transaction that an operator ordered to leave out: of its events only those matter that say where it ends. A branch of a
 * distributed transaction keeps its place without rows, so that its COMMIT finds it; a COMMIT that is left out counts as a rollback.
 */
final class LeftOutReader {
    private static final Logger LOG = LoggerFactory.getLogger(LeftOutReader.class);

    private final String shard;
    private final GtidSet ordered;
    private final LogPosition position;
    private final OpenTransaction open;
    private final PayloadWriter payload;
    private final TokenWriter tokens;
    private final QueryRewriter rewriter = new QueryRewriter();
    private final Count transactions = new Count();

    /** @param ordered what is to be left out */
    LeftOutReader(
            String shard,
            GtidSet ordered,
            LogPosition position,
            OpenTransaction open,
            PayloadWriter payload,
            TokenWriter tokens) {
        this.shard = shard;
        this.ordered = ordered;
        this.position = position;
        this.open = open;
        this.payload = payload;
        this.tokens = tokens;
    }

    /** Transactions that were left out. */
    Count transactions() {
        return transactions;
    }

    /** A transaction has begun: leaves it out if that was ordered. */
    void begins() {
        if (!ordered.isEmpty() && ordered.contains(open.sid(), open.gno())) {
            open.leaveOut();
        }
    }

    /** Takes one event of the transaction that is left out; false for one that is to be read as always. */
    boolean takes(ByteBuffer view, int at, int end, int type) {
        switch (type) {
            case FORMAT_DESCRIPTION_EVENT,
                    ROTATE_EVENT,
                    HEARTBEAT_LOG_EVENT,
                    HEARTBEAT_LOG_EVENT_V2,
                    TRANSACTION_PAYLOAD_EVENT,
                    QUERY_COMPRESSED_EVENT -> {
                return false;
            }
            case GTID_LOG_EVENT, GTID_TAGGED_LOG_EVENT, MARIADB_GTID_EVENT -> {
                end(TokenKind.SKIPPED); // the next one begins: this one is over, however it ended
                return false;
            }
            default -> {
                read(view, at, end, type);
                return true;
            }
        }
    }

    private void read(ByteBuffer view, int at, int end, int type) {
        switch (type) {
            case QUERY_EVENT -> {
                QueryEvent.check(view, at, end);
                if (open.phase() == Phase.BEGUN) {
                    first(view, at, end);
                } else {
                    inside(view, at, end);
                }
            }
            case XID_EVENT -> end(TokenKind.SKIPPED);
            case XA_PREPARE_LOG_EVENT -> {
                XaPrepareEvent.check(view, at, end);
                end(XaPrepareEvent.isOnePhase(view, at) ? TokenKind.SKIPPED : TokenKind.PREPARE);
            }
            default -> {} // what is left out
        }
    }

    private void first(ByteBuffer view, int at, int end) {
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            open.rowsFollow();
        } else if (XaStatement.isOne(view, at, end)) {
            XaStatement statement = XaStatement.parse(view, at, end);
            open.branchFollows(statement.xid());
            if (statement.verb() != XaStatement.Verb.START) {
                end(TokenKind.ROLLBACK);
            }
        } else if (rewriter.parse(view, at, end).createsFromSelect()) {
            open.rowsFollow();
        } else {
            end(TokenKind.SKIPPED);
        }
    }

    private void inside(ByteBuffer view, int at, int end) {
        boolean isOver = QueryEvent.textIs(view, at, end, "COMMIT") || QueryEvent.textIs(view, at, end, "ROLLBACK");
        boolean isRolledBack = open.phase() == Phase.BRANCH
                && XaStatement.isOne(view, at, end)
                && XaStatement.parse(view, at, end).verb() == XaStatement.Verb.ROLLBACK;
        if (isOver || isRolledBack) {
            end(TokenKind.SKIPPED);
        }
    }

    private void end(TokenKind kind) {
        LOG.warn(
                "shard {} before {}: LEFT OUT {}{}, as an operator ordered by `tributary shard skip`: its rows are not in"
                        + " the global binlog",
                shard,
                position,
                open,
                open.xid() == null ? "" : " of XA " + open.xid());
        transactions.add(1);
        payload.discard();
        switch (kind) {
            case PREPARE -> tokens.put(kind, open, open.xid(), payload.finish(), List.of(), null);
            case ROLLBACK -> tokens.put(kind, open, open.xid());
            default -> tokens.put(kind, open, null);
        }
        open.end();
    }
}
