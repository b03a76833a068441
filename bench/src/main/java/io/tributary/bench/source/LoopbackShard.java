package io.tributary.bench.source;

import io.tributary.common.gtid.Sid;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.testkit.source.RoundTransaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/** A simulated server of a shard: dumps its {@link ReplayLog}, accepts heartbeat rounds, answers checks. */
final class LoopbackShard implements CommandHandler {
    /** The statement with which {@link SourceProcess} requests the state. */
    static final String STATUS = "SHOW REPLAY STATUS";
    /** The statement with which {@link SourceProcess} resets the log. */
    static final String RESET = "RESET REPLAY";

    private final ReplayLog log;
    private final Executor loop;
    private final ShardStatements talk;
    private final Set<ReplayReader> readers = new HashSet<>();

    /** @param loop the event loop of all its sessions */
    LoopbackShard(ReplayLog log, Executor loop) {
        this.log = log;
        this.loop = loop;
        this.talk = new ShardStatements(log, "CRC32", this::update);
    }

    @Override
    public void query(Session session, String sql) {
        if (sql.equals(STATUS)) {
            session.resultSet(ResultSet.of("first_read_micros", "read_bytes", "last_number")
                    .row(
                            Long.toString(log.firstReadMicros()),
                            Long.toString(log.readBytes()),
                            Long.toString(log.lastNumber())));
        } else if (sql.equals(RESET)) {
            log.reset();
            readers.clear();
            session.ok();
        } else {
            talk.answer(session, sql);
        }
    }

    private void update(RoundTransaction.Row after) {
        log.update(after);
        List.copyOf(readers).forEach(ReplayReader::pump);
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        boolean checksummed = "CRC32".equalsIgnoreCase(session.variables().get("source_binlog_checksum"));
        boolean isPermanent = !request.isNonBlocking();
        long known = request.gtids()
                .map(set -> set.last(new Sid(log.canned().uuid())))
                .orElse(0L);
        ReplayReader reader = new ReplayReader(log, sink, loop, checksummed, isPermanent, known);
        if (isPermanent) {
            readers.removeIf(other -> !other.isOpen());
            readers.add(reader);
        }
        reader.begin();
    }
}
