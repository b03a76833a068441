package io.tributary.serve;

import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.SessionMemoryException;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.ReplicaRegistration;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.dump.DumpOptions;
import io.tributary.serve.dump.DumpRefusal;
import io.tributary.serve.dump.DumpSession;
import io.tributary.serve.dump.DumpSource;
import io.tributary.serve.dump.ReaderConnection;
import io.tributary.serve.dump.ReaderFormat;
import io.tributary.serve.dump.ReaderLane;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.select.Selects;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementList;
import io.tributary.serve.statement.Answer;
import io.tributary.serve.statement.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the commands of logged-in clients: answers statements, begins dumps. */
final class SessionCommands implements CommandHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SessionCommands.class);

    private final DumpSource source;
    private final ReadableFiles files;
    private final BinlogServer.ReaderLanes lanes;
    private final Readers readers;
    private final Statements statements;
    private final LiveStatus status;
    private final CatchUpWait catchUp;
    private final Selects selects;
    private final Map<String, RateLimiter> paces = new ConcurrentHashMap<>();

    SessionCommands(
            DumpSource source,
            BinlogServer.ReaderLanes lanes,
            Readers readers,
            Statements statements,
            Services services) {
        this.source = source;
        this.files = source.files();
        this.catchUp = new CatchUpWait(files, source.clock());
        this.lanes = lanes;
        this.readers = readers;
        this.statements = statements;
        this.status = services.status();
        this.selects = services.selects();
    }

    /**
     * What commands ask and use.
     *
     * @param selects executes SELECTs on tables
     */
    record Services(LiveStatus status, Selects selects) {}

    @Override
    public void query(Session session, String sql) {
        if (!session.isMulti() || session.isBinary() || sql.indexOf(';') < 0) {
            one(session, sql);
            return;
        }
        List<String> statements;
        try {
            statements = StatementList.of(sql);
        } catch (SqlRefusal e) {
            refuse(session, e);
            return;
        }
        next(session, statements, 0);
    }

    /** Answers one statement of a list; when its answer is sent, the next one. */
    private void next(Session session, List<String> list, int at) {
        if (at + 1 < list.size()) {
            session.followedBy(() -> next(session, list, at + 1));
        }
        one(session, list.get(at));
    }

    private void one(Session session, String sql) {
        status.countStatement();
        try {
            requireOneOf(session, NeededRights.of(sql));
            if (selects.mustWait(session, sql)) {
                answerAfterRead(session, sql);
                return;
            }
            send(session, statements.answer(sql, session.variables(), facts(session)));
        } catch (RuntimeException e) { // any failure is reported to the client, and the session continues
            refuse(session, e);
        }
    }

    /** Answers as soon as the binlog contains what the session has read; KILL QUERY ends the wait. */
    private void answerAfterRead(Session session, String sql) {
        CompletableFuture<Void> read = selects.awaitRead(session);
        CompletableFuture<Answer> answer =
                read.thenApply(done -> statements.answer(sql, session.variables(), facts(session)));
        var unused = answer.whenComplete((done, failure) -> read.cancel(false));
        sendLater(session, answer);
    }

    @Override
    public void fields(Session session, String table, String like) {
        try {
            sendLater(session, statements.fields(table, like, facts(session)).thenApply(Answer.Fields::new));
        } catch (RuntimeException e) {
            refuse(session, e);
        }
    }

    @Override
    public void resetConnection(Session session) {
        readers.gone(session);
        selects.reset(session);
        session.ok();
    }

    private CurrentSession facts(Session session) {
        return new CurrentSession(session, status.version(), readers.filter(session), selects);
    }

    private void send(Session session, Answer answer) {
        if (answer instanceof Answer.Rows rows) {
            session.resultSet(resultSet(rows));
        } else if (answer instanceof Answer.Typed typed) {
            session.resultSet(typed.result());
        } else if (answer instanceof Answer.Fields fields) {
            session.fields(fields.columns());
        } else if (answer instanceof Answer.OfTable rows) {
            requireOneOf(session, NeededRights.DUMP);
            selects.run(session, rows.select(), readers.filter(session));
        } else if (answer instanceof Answer.Kill kill) {
            end(session, kill.threadId(), kill.onlyStatement());
        } else if (answer instanceof Answer.Use use) {
            session.database(use.schema());
            session.ok();
        } else if (answer instanceof Answer.Later later) {
            sendLater(session, later.answer());
        } else {
            session.ok();
        }
    }

    private void sendLater(Session session, CompletableFuture<Answer> later) {
        session.onInterrupt(() -> later.cancel(false));
        var unused = later.whenComplete((answer, failure) -> {
            if (failure == null) {
                try {
                    send(session, answer);
                } catch (RuntimeException e) { // reported to the client
                    refuse(session, e);
                }
            } else {
                refuse(session, failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
    }

    private static void refuse(Session session, Throwable failure) {
        if (failure instanceof SessionMemoryException full) {
            session.err(full.error());
        } else if (failure instanceof SqlRefusal refusal) {
            session.err(refusal.packet());
        } else if (failure instanceof CancellationException) {
            session.err(MysqlError.ER_QUERY_INTERRUPTED, "Query execution was interrupted");
        } else {
            LOG.warn("statement failed: session=\"{}\"", session, failure);
            session.err(MysqlError.ER_UNKNOWN_ERROR, String.valueOf(failure.getMessage()));
        }
    }

    /**
     * Refuses, as MySQL does, a session without the needed rights.
     *
     * @throws SqlRefusal with MySQL's error
     */
    private static void requireOneOf(Session session, Set<Right> needed) {
        if (!session.account().grant().hasOneOf(needed)) {
            throw new SqlRefusal(
                    MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                    "Access denied; you need (at least one of) the " + Right.list(needed)
                            + " privilege(s) for this operation");
        }
    }

    @Override
    public void kill(Session session, long threadId) {
        end(session, threadId, false);
    }

    /** Ends a session. Every user may end its own sessions. */
    private static void end(Session session, long threadId, boolean onlyStatement) {
        Optional<Session> other = session.other(threadId);
        boolean own = other.filter(each -> each.user().equals(session.user())).isPresent();
        if (other.isEmpty()) {
            session.err(MysqlError.ER_NO_SUCH_THREAD, "Unknown thread id: " + threadId);
        } else if (own || session.account().grant().hasOneOf(NeededRights.CHANGE)) {
            if (onlyStatement) {
                session.interrupt(threadId);
            } else {
                session.kill(threadId);
            }
            session.ok();
        } else {
            session.err(MysqlError.ER_KILL_DENIED_ERROR, "You are not owner of thread " + threadId);
        }
    }

    private static ResultSet resultSet(Answer.Rows rows) {
        List<ResultSet.Column> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
            String name = rows.columns().get(i);
            columns.add(rows.numeric().get(i) ? ResultSet.Column.integer(name) : ResultSet.Column.text(name));
        }
        ResultSet result = ResultSet.of(columns);
        rows.rows().forEach(row -> result.row(row.toArray(new String[0])));
        return result;
    }

    @Override
    public void statistics(Session session) {
        session.text("Uptime: " + status.uptimeSeconds() + "  Threads: "
                + status.sessions().size() + "  Questions: " + status.statements());
    }

    @Override
    public void registerReplica(Session session, ReplicaRegistration replica) {
        try {
            requireOneOf(session, NeededRights.DUMP);
            readers.registered(session, replica);
            session.ok();
        } catch (SqlRefusal refusal) {
            session.err(refusal.packet());
        }
    }

    @Override
    public void disconnected(Session session) {
        readers.gone(session);
        selects.gone(session);
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        try {
            requireOneOf(session, NeededRights.DUMP);
            catchUp.begin(session, request, sink, () -> begin(session, request, sink));
        } catch (SqlRefusal refusal) {
            sink.fail(refusal.packet());
        }
    }

    private void begin(Session session, DumpRequest request, EventSink sink) {
        try {
            ReaderFormat format = ReaderFormat.of(request, session.variables());
            BinlogFile first = firstFile(request);
            long position = request.gtids().isPresent() ? EventHeader.FILE_MAGIC_LENGTH : request.position();
            ReaderLane lane = lanes.of(sink.loop());
            TableFilter filter = readers.filter(session);
            DumpSession dump = new DumpSession(
                    session.toString(),
                    source,
                    new ReaderConnection(sink, lane, pace(session), source.clock()),
                    new DumpOptions(format, request.gtids(), filter, !request.isNonBlocking()));
            if (readers.begins(session, request.serverId(), lane, dump, filter)) {
                lane.loop().execute(() -> dump.start(first, position));
            } else {
                lane.loop().execute(dump::end);
                throw new SqlRefusal(
                        MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                        "Access denied; a dump of another user has this replica's uuid or server id: give each replica its own,"
                                + " or let all of them read as one user");
            }
        } catch (DumpRefusal | TributaryException e) {
            sink.fail(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, e.getMessage());
        } catch (SqlRefusal refusal) { // a replica retries after any other number than 1236
            sink.fail(refusal.packet());
        }
    }

    private RateLimiter pace(Session session) {
        RateLimiter pace = paces.computeIfAbsent(session.user(), user -> new RateLimiter(source.clock()));
        pace.rate(session.account().grant().bytesPerSecond());
        return pace;
    }

    private BinlogFile firstFile(DumpRequest request) {
        if (request.gtids().isPresent()) {
            return files.locate(request.gtids().get());
        }
        if (request.file().isEmpty()) {
            return files.first();
        }
        return files.find(request.file())
                .orElseThrow(() -> new DumpRefusal(
                        "Could not find first log file name in binary log index file: no file " + request.file()));
    }
}
