package io.tributary.mysql.protocol;

import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.ReplicaRegistration;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.ResultSet.Column;
import io.tributary.mysql.protocol.server.Session;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Answers statements with their own text, knows a few others, and passes dumps to a function. */
public final class EchoHandler implements CommandHandler {
    private final Map<Long, ReplicaRegistration> replicas = new ConcurrentHashMap<>();
    private final BiConsumer<DumpRequest, EventSink> dumps;

    public EchoHandler() {
        this((request, sink) -> sink.fail(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, "no binlog here"));
    }

    public EchoHandler(BiConsumer<DumpRequest, EventSink> dumps) {
        this.dumps = dumps;
    }

    public Map<Long, ReplicaRegistration> replicas() {
        return replicas;
    }

    @Override
    public void query(Session session, String sql) {
        String upper = sql.toUpperCase(Locale.ROOT);
        if (upper.startsWith("SET ")) {
            session.variables().put("last_set", sql);
            session.ok();
        } else if (upper.startsWith("UPDATE")) {
            session.ok(7, 2);
        } else if (upper.startsWith("FAIL")) {
            session.err(MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE, "Unknown system variable 'grün'");
        } else if (upper.startsWith("THROW")) {
            throw new IllegalStateException("thrown");
        } else if (upper.startsWith("WHO")) {
            session.resultSet(ResultSet.of(List.of(Column.integer("id"), Column.text("user"), Column.text("client")))
                    .row(
                            Long.toString(session.threadId()),
                            session.user(),
                            session.connectAttributes().get("program_name")));
        } else if (upper.startsWith("SELECT @SOURCE_BINLOG_CHECKSUM")) {
            session.resultSet(ResultSet.of("@source_binlog_checksum").row("CRC32"));
        } else if (upper.startsWith("SELECT VERSION()")) {
            session.resultSet(ResultSet.of("VERSION()").row(Loopback.VERSION));
        } else if (upper.startsWith("EMPTY")) {
            session.resultSet(ResultSet.of("File", "Position"));
        } else {
            session.resultSet(ResultSet.of("text", "nothing", "empty").row(sql, null, ""));
        }
    }

    @Override
    public void registerReplica(Session session, ReplicaRegistration replica) {
        replicas.put(session.threadId(), replica);
        session.ok();
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        dumps.accept(request, sink);
    }
}
