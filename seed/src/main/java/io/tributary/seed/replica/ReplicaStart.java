package io.tributary.seed.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.checkpoint.Checkpoint;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Makes a seeded server a replica of the stream. */
public final class ReplicaStart {
    private static final int NEW_WORDS = 80023;
    private static final long POLL_NANOS = 100_000_000;

    private final SqlSession target;
    private final Clock clock;

    /** @param target a session of the account that seeds; not owned */
    public ReplicaStart(SqlSession target, Clock clock) {
        this.target = target;
        this.clock = clock;
    }

    /** REPLICA, or SLAVE for a version that does not know the new word. */
    static String word(SqlSession server) {
        return usesNewWords(server) ? "REPLICA" : "SLAVE";
    }

    static String statusStatement(SqlSession server) {
        return "SHOW " + word(server) + " STATUS";
    }

    private static boolean usesNewWords(SqlSession server) {
        return ServerVersion.of(server.connection().serverVersion()).number() >= NEW_WORDS;
    }

    /**
     * Starts replication and waits until it has executed what the stream has now.
     *
     * @param source the node's address as the target reaches it, and the account for replication
     * @param stream the newest checkpoint
     * @param limit for each: until both threads run, and without any progress
     * @throws TributaryException SEED_FAILED with the replica's error, TARGET_FAILED, TARGET_UNREACHABLE
     */
    public void start(Endpoint source, Checkpoint stream, Duration limit) {
        target.run("SET SESSION sql_log_bin = 1", change(source), "START " + word(target));
        GtidSet missing = stream.executed();
        long deadline = clock.nanoTime() + limit.toNanos();
        while (!missing.isEmpty()) {
            QueryResult status = status();
            String error = status.text(0, "Last_SQL_Error");
            boolean isRunning = "Yes".equals(status.text(0, word("IO"))) && "Yes".equals(status.text(0, word("SQL")));
            boolean isLate = clock.nanoTime() - deadline > 0;
            if (!error.isEmpty() || isLate) {
                throw target.unfit(
                        ErrorCode.SEED_FAILED,
                        "expected replication that executes " + missing.line() + ", found '" + error
                                + status.text(0, "Last_IO_Error") + "'" + (isRunning ? ", and no progress" : "")
                                + " within " + limit.toSeconds() + " s");
            }
            GtidSet left = stream.executed().minus(GtidSet.parse(target.value("SELECT @@GLOBAL.gtid_executed")));
            if (!left.equals(missing)) {
                missing = left;
                deadline = clock.nanoTime() + limit.toNanos();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Ends the replication that an earlier run has configured, if there is any. */
    void reset() {
        if (!status().isEmpty()) {
            target.run("STOP " + word(target), "RESET " + word(target) + " ALL");
        }
    }

    private String word(String thread) {
        return (usesNewWords(target) ? "Replica_" : "Slave_") + thread + "_Running";
    }

    private QueryResult status() {
        try {
            return target.query(statusStatement(target));
        } catch (MysqlServerError e) {
            throw target.failed(statusStatement(target), e);
        }
    }

    private String change(Endpoint source) {
        boolean isNew = usesNewWords(target);
        String prefix = isNew ? "SOURCE_" : "MASTER_";
        String tls =
                isNew || ServerVersion.of(target.connection().serverVersion()).number() >= 80000
                        ? ", GET_" + (isNew ? "SOURCE" : "MASTER") + "_PUBLIC_KEY = 1"
                        : "";
        return "CHANGE " + (isNew ? "REPLICATION SOURCE" : "MASTER") + " TO " + prefix + "HOST = "
                + SqlNames.literal(source.host()) + ", " + prefix + "PORT = " + source.port() + ", " + prefix
                + "USER = " + SqlNames.literal(source.credentials().user()) + ", " + prefix + "PASSWORD = "
                + SqlNames.literal(source.credentials().password()) + ", " + prefix + "AUTO_POSITION = 1, " + prefix
                + "CONNECT_RETRY = 5" + tls;
    }
}
