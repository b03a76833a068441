package io.tributary.bench.source;

import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.testkit.source.HeartbeatUpdate;
import io.tributary.testkit.source.RoundTransaction;
import io.tributary.testkit.source.ServedLog;
import io.tributary.testkit.source.ShardAnswers;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of a simulated shard: user variables, heartbeat rounds, checks. */
final class ShardStatements {
    private static final Pattern SET_USER_VARIABLE =
            Pattern.compile("@(\\w+)\\s*=\\s*('[^']*'|@@global\\.binlog_checksum|\\d+)", Pattern.CASE_INSENSITIVE);

    private final ServedLog log;
    private final String checksum;
    private final ShardAnswers answers;
    private final Consumer<RoundTransaction.Row> update;

    /**
     * @param checksum the checksum of its binlog: CRC32 or NONE
     * @param update is called when the heartbeat row changes
     */
    ShardStatements(ServedLog log, String checksum, Consumer<RoundTransaction.Row> update) {
        this.log = log;
        this.checksum = checksum;
        this.answers = new ShardAnswers(log);
        this.update = update;
    }

    void answer(Session session, String sql) {
        if (sql.regionMatches(true, 0, "SET ", 0, 4)) {
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

    private void set(Session session, String sql) {
        Matcher matcher = SET_USER_VARIABLE.matcher(sql);
        while (matcher.find()) {
            String value = matcher.group(2);
            session.variables().put(matcher.group(1), value.startsWith("@@") ? checksum : value.replace("'", ""));
        }
        session.ok();
    }

    private void update(Session session, String sql) {
        RoundTransaction.Row after = HeartbeatUpdate.parse(sql).apply(log.row());
        if (after.equals(log.row())) {
            session.ok(0, 0);
            return;
        }
        update.accept(after);
        session.ok(1, 0);
    }
}
