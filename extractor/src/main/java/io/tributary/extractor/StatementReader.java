package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.OpenTransaction.Phase;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XaStatement;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads QUERY events: the frame of transactions (BEGIN, COMMIT, XA), DDL, and what must not stand in a row-format binlog. */
final class StatementReader {
    private final StatementFilter filter;
    private final PayloadWriter payload;
    private final TokenWriter tokens;
    private final OpenTransaction open;
    private final PolarDbxTimestamps timestamps;
    private final QueryRewriter rewriter = new QueryRewriter();

    StatementReader(
            StatementFilter filter,
            PayloadWriter payload,
            TokenWriter tokens,
            OpenTransaction open,
            PolarDbxTimestamps timestamps) {
        this.filter = filter;
        this.payload = payload;
        this.tokens = tokens;
        this.open = open;
        this.timestamps = timestamps;
    }

    void query(ByteBuffer view, int at, int end) {
        QueryEvent.check(view, at, end);
        switch (open.phase()) {
            case NONE ->
                throw new TributaryException(
                        ErrorCode.SHARD_UNFIT, "expected a GTID before a statement, found none: set gtid_mode = ON");
            case BEGUN -> first(view, at, end);
            case ROWS, BRANCH -> inside(view, at, end);
        }
    }

    /** The statement behind the GTID. */
    private void first(ByteBuffer view, int at, int end) {
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            open.rowsFollow();
        } else if (XaStatement.isOne(view, at, end)) {
            timestamps.readCommit(view, at);
            xa(XaStatement.parse(view, at, end));
        } else {
            alone(view, at, end);
        }
    }

    private void xa(XaStatement statement) {
        switch (statement.verb()) {
            case START -> open.branchFollows(statement.xid());
            case COMMIT -> {
                tokens.put(TokenKind.COMMIT, open, statement.xid());
                open.end();
            }
            case ROLLBACK -> {
                tokens.put(TokenKind.ROLLBACK, open, statement.xid());
                open.end();
            }
            case END, PREPARE ->
                throw new TributaryException(
                        ErrorCode.EVENT_MALFORMED,
                        "expected XA START, COMMIT or ROLLBACK, found XA " + statement.verb());
        }
    }

    /** A statement between the first one of a transaction and its commit. */
    private void inside(ByteBuffer view, int at, int end) {
        if (QueryEvent.textIs(view, at, end, "COMMIT")) {
            finishLocal();
        } else if (QueryEvent.textIs(view, at, end, "ROLLBACK")) {
            skip();
        } else if (QueryEvent.textStartsWith(view, at, end, "SAVEPOINT ")) {
            return; // a rollback to it has already been cut out by the shard
        } else if (open.phase() == Phase.BRANCH && XaStatement.isOne(view, at, end)) {
            switch (XaStatement.parse(view, at, end).verb()) {
                case END -> {} // XA_PREPARE follows
                case ROLLBACK -> skip();
                default -> throw new TributaryException(ErrorCode.EVENT_MALFORMED, "expected XA END of " + open.xid());
            }
        } else {
            refuseInside(rewriter.parse(view, at, end));
        }
    }

    /** Of what is neither rows nor the frame of a transaction, only what is left out may stand in one. */
    private void refuseInside(DdlStatement statement) {
        boolean creates = statement.createsFromSelect() // MariaDB's events have the columns in place of the SELECT
                || (open.isMariadb() && statement.kind() == StatementKind.TABLE);
        if (creates && !filter.leavesOut(statement)) {
            throw unsupported(
                    "CREATE TABLE without SELECT, found CREATE TABLE ... SELECT, which is one transaction of a"
                            + " statement and rows: create the table first, then INSERT ... SELECT");
        }
        if (!creates && statement.kind() != StatementKind.SERVER) {
            throw statementFormat(statement.verb());
        }
    }

    /** A statement that is a transaction of its own. */
    private void alone(ByteBuffer view, int at, int end) {
        if (open.isUndoneAlter()) {
            skip();
            return;
        }
        DdlStatement statement = rewriter.parse(view, at, end);
        if (statement.kind() == StatementKind.ROWS) {
            throw statementFormat(statement.verb());
        }
        if (filter.leavesOut(statement)) {
            if (statement.createsFromSelect()) {
                open.rowsFollow();
            } else {
                skip();
            }
            return;
        }
        if (statement.createsFromSelect()) {
            throw unsupported(
                    "CREATE TABLE without SELECT, found CREATE TABLE ... SELECT, which is one transaction of a"
                            + " statement and rows: create the table first, then INSERT ... SELECT");
        }
        if (open.hasStatementContext()) {
            throw unsupported("DDL without user variables, found " + statement.verb() + " behind one");
        }
        DdlStatement.Mapped mapped = statement.map(filter.mapping());
        if (rewriter.isUnchanged(mapped) && !open.isMariadb()) {
            payload.event(view, at, end);
        } else {
            rewriter.append(view, at, mapped, open.isMariadb(), payload);
        }
        tokens.put(TokenKind.DDL, open, null, payload.finish(), List.of(), mapped.ddl());
        open.end();
    }

    /** A local transaction has committed. */
    void finishLocal() {
        if (payload.isEmpty()) {
            payload.discard();
            tokens.put(open.round() == 0 ? TokenKind.SKIPPED : TokenKind.ROUND, open, null);
        } else {
            payload.endStatement();
            var touched = payload.tables(); // before the payload is handed over
            tokens.put(TokenKind.LOCAL, open, null, payload.finish(), touched, null);
        }
        open.end();
    }

    private void skip() {
        payload.discard();
        tokens.put(TokenKind.SKIPPED, open, null);
        open.end();
    }

    /** @param verb the statement's first words, nothing of its values */
    static TributaryException statementFormat(String verb) {
        return new TributaryException(
                ErrorCode.STATEMENT_FORMAT,
                "expected rows, found the statement " + (verb.isEmpty() ? "?" : verb) + " ...");
    }

    private static TributaryException unsupported(String expectedAndFound) {
        return new TributaryException(ErrorCode.DDL_UNSUPPORTED, "expected " + expectedAndFound);
    }
}
