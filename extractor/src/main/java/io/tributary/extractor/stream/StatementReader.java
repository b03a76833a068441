package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Payload;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TokenBody;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TransactionState;
import io.tributary.extractor.TransactionState.Phase;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.OnlineChanges;
import io.tributary.extractor.ddl.OnlineChanges.Outcome;
import io.tributary.extractor.ddl.OnlineChanges.Sourced;
import io.tributary.extractor.ddl.OutputNames;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.extractor.ddl.StatementSession;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.xa.XaStatement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader of QUERY events: begin and end of transactions (BEGIN, COMMIT, XA), DDL, and statements that must not be in a row-format binlog. */
final class StatementReader {
    private static final Logger LOG = LoggerFactory.getLogger(StatementReader.class);
    private static final int MOST_WARNED = 1000;

    private final String shard;
    private final StatementFilter filter;
    private final PayloadWriter payload;
    private final TokenWriter tokens;
    private final TransactionState open;
    private final PolarDbxTimestamps timestamps;
    private final QueryRewriter rewriter = new QueryRewriter();
    private final OnlineChanges changes;
    private final ShardSource source;
    private boolean isRestored;
    private final Set<TableName> warned = new HashSet<>();
    private OutputNames names;
    private ServerVersion server = ServerVersion.STANDARD;

    StatementReader(
            ShardSource source,
            StatementFilter filter,
            TokenWriter tokens,
            TransactionState open,
            PolarDbxTimestamps timestamps) {
        this.source = source;
        this.shard = source.name();
        this.filter = filter;
        this.changes = new OnlineChanges(filter.hidden());
        this.names = filter.names(false);
        this.payload = tokens.payload();
        this.tokens = tokens;
        this.open = open;
        this.timestamps = timestamps;
    }

    /** Begins a stream of a server that compares names with or without regard to letter case. */
    void streamBegins(boolean foldsNames) {
        names = filter.names(foldsNames);
    }

    /** Begins a file, or a part of one, that this server has written. */
    void logBegins(ServerVersion writer) {
        server = writer;
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

    /** Reads the statement after the GTID. */
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
                tokens.put(open, new TokenBody.CommittedBranch(statement.xid()));
                open.end();
            }
            case ROLLBACK -> {
                tokens.put(open, new TokenBody.RolledBackBranch(statement.xid()));
                open.end();
            }
            case END, PREPARE ->
                throw new TributaryException(
                        ErrorCode.EVENT_MALFORMED,
                        "expected XA START, COMMIT or ROLLBACK, found XA " + statement.verb());
        }
    }

    /** Reads a statement between the first one of a transaction and its commit. */
    private void inside(ByteBuffer view, int at, int end) {
        if (QueryEvent.textIs(view, at, end, "COMMIT")) {
            finishLocal();
        } else if (QueryEvent.textIs(view, at, end, "ROLLBACK")) {
            skip();
        } else if (QueryEvent.textStartsWith(view, at, end, "SAVEPOINT ")) {
            return; // the shard has already removed a rollback to it
        } else if (open.phase() == Phase.BRANCH && XaStatement.isOne(view, at, end)) {
            switch (XaStatement.parse(view, at, end).verb()) {
                case END -> {} // XA_PREPARE follows
                case ROLLBACK -> skip();
                default -> throw new TributaryException(ErrorCode.EVENT_MALFORMED, "expected XA END of " + open.xid());
            }
        } else {
            statementInside(view, at, end);
        }
    }

    /** Reads another statement in a transaction: only CREATE TABLE ... SELECT and statements that are left out are allowed there. */
    private void statementInside(ByteBuffer view, int at, int end) {
        DdlStatement statement = rewriter.parse(view, at, end);
        if (isEmptiedByServer(view, at, statement)) {
            return;
        }
        boolean creates = statement.createsFromSelect() // MariaDB's events have the columns in place of the SELECT
                || (open.isMariadb() && statement.kind() == StatementKind.TABLE);
        if (creates && open.phase() == Phase.BRANCH) {
            throw statementFormat(statement.verb());
        }
        if (creates && !filter.leavesOut(statement)) {
            if (!payload.isEmpty()) {
                throw unsupported(
                        "CREATE TABLE ... SELECT at the beginning of its transaction, found rows before it: leave the"
                                + " transaction out and apply its rows to the readers by hand");
            }
            write(view, at, end, statement);
        } else if (!creates && statement.kind() != StatementKind.SERVER) {
            throw QueryEvent.textStartsWith(view, at, end, "ROLLBACK TO")
                    ? rollbackTo()
                    : statementFormat(statement.verb());
        }
    }

    /**
     * The error for ROLLBACK TO. A server writes this statement only if it could not remove the undone changes from the transaction: the
     * transaction has rows of non-transactional tables, which stay, or created a temporary table (cannot_safely_rollback in sql/binlog.cc;
     * OPTION_KEEP_LOG in MariaDB). The undone rows are before it like all others, and the log does not show which tables are transactional.
     */
    private static TributaryException rollbackTo() {
        return new TributaryException(
                ErrorCode.STATEMENT_FORMAT,
                "expected only rows that were committed, found ROLLBACK TO a savepoint: some of the rows before it were undone,"
                        + " which ones depends on the engines of their tables. Leave the transaction out, and apply the"
                        + " rows that the shard kept to the readers by hand; do not use non-transactional tables in such"
                        + " transactions");
    }

    /** Reads a statement that is a transaction of its own. */
    private void alone(ByteBuffer view, int at, int end) {
        if (open.isUndoneAlter()) {
            skip();
            return;
        }
        DdlStatement statement = rewriter.parse(view, at, end);
        if (isEmptiedByServer(view, at, statement)) {
            skip();
            return;
        }
        if (statement.kind() == StatementKind.ROWS) {
            throw statementFormat(statement.verb());
        }
        if (!filter.leavesOut(statement)) {
            write(view, at, end, statement);
        } else if (statement.createsFromSelect()) {
            open.rowsFollow();
        } else {
            skip();
        }
    }

    /**
     * Whether the statement reports that a server has lost the rows of a MEMORY table by its restart. Only this shard has lost rows, other members
     * keep theirs: so nothing is written, and the output keeps the rows that this shard lost.
     */
    private boolean isEmptiedByServer(ByteBuffer view, int at, DdlStatement statement) {
        boolean suppressesUse = (EventHeader.flags(view, at) & EventFlags.LOG_EVENT_SUPPRESS_USE_F) != 0;
        TableName emptied = statement.emptiedByServer(suppressesUse);
        if (emptied == null) {
            return false;
        }
        if (!names.leavesOut(emptied)) {
            LOG.warn(
                    "memory table emptied by its server after a restart, not written: shard={} gtid={} table={}"
                            + " effect=\"the global binlog keeps the rows that the shard lost\"",
                    shard,
                    Gtid.text(open.sid(), open.gno()),
                    emptied);
        }
        return true;
    }

    /** Writes a statement, or the statements that it stands for; if rows belong to it, they follow. */
    private void write(ByteBuffer view, int at, int end, DdlStatement statement) {
        boolean hasRows = statement.createsFromSelect() || open.phase() == Phase.ROWS;
        StatementSession session = rewriter.session(view, at, open.isMariadb());
        restoreAfterFrontier();
        Outcome outcome = changes.read(statement, session, names);
        List<Mapping> mapped = new ArrayList<>();
        for (Sourced sourced : outcome.statements()) {
            if (open.hasStatementContext()) {
                throw unsupported("DDL without user variables, found " + statement.verb()
                        + " after a user variable whose value it may use: run it on the replicas with the values in its"
                        + " text, and leave it out");
            }
            sourced.statement().map(names).ifPresent(each -> mapped.add(new Mapping(each, sourced.session())));
        }
        mapped.forEach(each -> append(view, at, end, each));
        Ddl ddl = mapped.isEmpty() ? null : combined(mapped, outcome.change(), server);
        if (hasRows) {
            open.rowsFollow(ddl, outcome.change());
        } else if (ddl == null) {
            LOG.info(
                    "statement changes nothing of the global binlog, not written: shard={} gtid={} statement={}",
                    shard,
                    Gtid.text(open.sid(), open.gno()),
                    statement.verb());
            payload.discard();
            tokens.putHidden(open, outcome.change());
            open.end();
        } else {
            tokens.put(open, new TokenBody.LoggedDdl(ddl, payload.finish(), List.of()));
            open.end();
        }
    }

    /** Restores the hidden tables of the cut once the transactions are after its frontier. */
    private void restoreAfterFrontier() {
        if (!isRestored && !source.isReadAgain(open.sid(), open.gno())) {
            changes.restore(source.hidden());
            isRestored = true;
        }
    }

    /** One statement to write, and the session that ran it. */
    private record Mapping(DdlStatement.Mapped statement, StatementSession session) {}

    private static Ddl combined(List<Mapping> mapped, HiddenChange change, ServerVersion server) {
        List<Ddl.Part> parts = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (Mapping each : mapped) {
            parts.addAll(each.statement().ddl().parts());
            texts.add(each.statement().ddl().text());
        }
        String verb = mapped.get(0).statement().ddl().verb();
        HiddenChange.Rename swap = change.unknownSwap();
        if (swap == null) {
            return new Ddl(verb, String.join("; ", texts), parts, change, server);
        }
        Ddl.Target table = new Ddl.Target(Ddl.Effect.CHANGES, swap.logical(), swap.to());
        return new Ddl(
                "RENAME TABLE",
                "RENAME TABLE " + swap.from() + " TO " + swap.to(),
                List.of(new Ddl.Part(DdlKind.FORWARD, parts.get(0).id(), true, false, List.of(table))),
                change,
                server);
    }

    private void append(ByteBuffer view, int at, int end, Mapping mapping) {
        DdlStatement.Mapped mapped = mapping.statement();
        if (rewriter.isUnchanged(mapped) && !open.isMariadb()) {
            payload.event(view, at, end);
        } else {
            QueryRewriter.append(view, at, mapped, mapping.session(), payload);
        }
        TableName table = mapped.tablespace();
        if (table != null && warned.size() < MOST_WARNED && warned.add(table)) {
            LOG.warn(
                    "clause TABLESPACE not written, replicas may lack the tablespace: shard={} table={}"
                            + " note=\"logged once for a table\"",
                    shard,
                    table);
        }
    }

    /** Ends a local transaction that has committed. */
    void finishLocal() {
        if (payload.isEmpty()) {
            payload.discard();
            if (open.round() == 0) {
                tokens.putHidden(open, open.hidden());
            } else {
                tokens.putRound(open);
            }
        } else {
            payload.endStatement();
            var touched = payload.tables(); // before the payload is finished
            Payload events = payload.finish();
            tokens.put(
                    open,
                    open.ddl() == null
                            ? new TokenBody.LocalTransaction(events, touched)
                            : new TokenBody.LoggedDdl(open.ddl(), events, touched));
        }
        open.end();
    }

    private void skip() {
        payload.discard();
        tokens.putSkipped(open);
        open.end();
    }

    /** @param verb the statement's first words, nothing of its values */
    static TributaryException statementFormat(String verb) {
        return new TributaryException(
                ErrorCode.STATEMENT_FORMAT,
                "expected rows, found the statement " + (verb.isEmpty() ? "?" : verb)
                        + " ...: set binlog_format = ROW, also in sessions, leave the transaction out and apply its rows to"
                        + " the readers by hand");
    }

    private static TributaryException unsupported(String expectedAndFound) {
        return new TributaryException(ErrorCode.DDL_UNSUPPORTED, "expected " + expectedAndFound);
    }
}
