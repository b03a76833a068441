package io.tributary.dumper.serve;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.ReplicaRegistration;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What Tributary does with a logged-in client: statements are answered, dumps begun. */
final class SessionCommands implements CommandHandler {
    private final DumpSource source;
    private final BinlogFiles files;
    private final BinlogServer.ReaderLanes lanes;
    private final Readers readers;
    private final Statements statements;

    SessionCommands(DumpSource source, BinlogServer.ReaderLanes lanes, Readers readers, Statements statements) {
        this.source = source;
        this.files = source.files();
        this.lanes = lanes;
        this.readers = readers;
        this.statements = statements;
    }

    @Override
    public void query(Session session, String sql) {
        try {
            Answer answer = statements.answer(sql, session.variables(), new Facts(session));
            if (answer instanceof Answer.Rows rows) {
                session.resultSet(resultSet(rows));
            } else if (answer instanceof Answer.Kill kill) {
                kill(session, kill.threadId());
            } else {
                session.ok();
            }
        } catch (SqlRefusal refusal) {
            session.err(refusal.number(), refusal.state(), refusal.getMessage());
        }
    }

    private static ResultSet resultSet(Answer.Rows rows) {
        List<ResultSet.Column> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
            columns.add(
                    new ResultSet.Column(rows.columns().get(i), rows.numeric().get(i)));
        }
        ResultSet result = ResultSet.of(columns);
        rows.rows().forEach(row -> result.row(row.toArray(new String[0])));
        return result;
    }

    @Override
    public void registerReplica(Session session, ReplicaRegistration replica) {
        readers.registered(session, replica);
        session.ok();
    }

    @Override
    public void disconnected(Session session) {
        readers.gone(session);
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        try {
            ReaderFormat format = ReaderFormat.of(request, session.variables());
            BinlogFile first = firstFile(request);
            GtidSet has = request.gtids().orElse(GtidSet.EMPTY);
            long position = request.gtids().isPresent() ? EventHeader.FILE_MAGIC_LENGTH : request.position();
            ReaderLane lane = lanes.of(sink.loop());
            DumpSession dump =
                    new DumpSession(session.toString(), source, lane, sink, format, has, !request.isNonBlocking());
            readers.begins(session, request.serverId(), lane, dump);
            lane.loop().execute(() -> dump.start(first, position));
        } catch (DumpRefusal | TributaryException e) {
            sink.fail(1236, "HY000", e.getMessage());
        }
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

    /** A session as expressions see it. */
    private record Facts(Session session) implements SqlExpression.SessionFacts {
        @Override
        public long threadId() {
            return session.threadId();
        }

        @Override
        public String schema() {
            return session.database();
        }

        @Override
        public String user() {
            return session.user() + "@" + session.peer();
        }

        @Override
        public String newUuid() {
            return UUID.randomUUID().toString();
        }
    }
}
