package io.tributary.bench.source;

import io.tributary.common.gtid.Sid;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.testkit.source.HeartbeatUpdate;
import io.tributary.testkit.source.RoundTransaction;
import io.tributary.testkit.source.ShardAnswers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shard's server as far as its readers can tell: dumps its {@link ReplayLog}, takes heartbeat rounds, answers checks. */
final class LoopbackShard implements CommandHandler {
    /** What {@link SourceProcess} asks. */
    static final String STATUS = "SHOW REPLAY STATUS";
    /** What {@link SourceProcess} tells. */
    static final String RESET = "RESET REPLAY";

    private static final Pattern SET_USER_VARIABLE =
            Pattern.compile("@(\\w+)\\s*=\\s*('[^']*'|@@global\\.binlog_checksum|\\d+)", Pattern.CASE_INSENSITIVE);

    private final ReplayLog log;
    private final Executor loop;
    private final ShardAnswers answers;
    private final Set<ReplayReader> readers = new HashSet<>();

    /** @param loop the event loop of all its sessions */
    LoopbackShard(ReplayLog log, Executor loop) {
        this.log = log;
        this.loop = loop;
        this.answers = new ShardAnswers(log);
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
        } else if (sql.regionMatches(true, 0, "SET ", 0, 4)) {
            set(session, sql);
        } else if (sql.regionMatches(true, 0, "SELECT @", 0, 8) && sql.charAt(8) != '@') {
            String name = sql.substring(8).strip();
            session.resultSet(
                    ResultSet.of(sql.substring(7)).row(session.variables().get(name)));
        } else if (sql.startsWith("UPDATE tributary.heartbeat SET ")) {
            update(session, sql);
        } else {
            answers.answer(session, sql);
        }
    }

    private static void set(Session session, String sql) {
        Matcher matcher = SET_USER_VARIABLE.matcher(sql);
        while (matcher.find()) {
            String value = matcher.group(2);
            session.variables().put(matcher.group(1), value.startsWith("@@") ? "CRC32" : value.replace("'", ""));
        }
        session.ok();
    }

    private void update(Session session, String sql) {
        RoundTransaction.Row after = HeartbeatUpdate.parse(sql).apply(log.row());
        if (after.equals(log.row())) {
            session.ok(0, 0);
            return;
        }
        log.update(after);
        session.ok(1, 0);
        List.copyOf(readers).forEach(ReplayReader::pump);
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        boolean checksummed = "CRC32".equalsIgnoreCase(session.variables().get("source_binlog_checksum"));
        boolean stays = !request.isNonBlocking();
        long known = request.gtids()
                .map(set -> set.last(new Sid(log.canned().uuid())))
                .orElse(0L);
        ReplayReader reader = new ReplayReader(log, sink, loop, checksummed, stays, known);
        if (stays) {
            readers.removeIf(other -> !other.isOpen());
            readers.add(reader);
        }
        reader.begin();
    }
}
