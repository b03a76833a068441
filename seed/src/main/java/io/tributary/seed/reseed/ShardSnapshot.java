package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Xid;
import io.tributary.extractor.PreparedBranches;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.verify.TableServers;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The rows of a shard at one place of its binlog.
 *
 * @param session reads the rows; its snapshot ends with it
 * @param serverUuid the server's UUID
 * @param executed all transactions whose rows the snapshot contains, and no others
 */
record ShardSnapshot(SqlSession session, String serverUuid, GtidSet executed) implements AutoCloseable {
    private static final int MOST_TRIES = 10;
    private static final long PAUSE_NANOS = 1_000_000_000;

    /**
     * Opens a snapshot while FLUSH TABLES WITH READ LOCK stops all commits. An attempt waits at most 5 s for the lock; there are 10 attempts.
     *
     * @throws TributaryException DECISION_REFUSED if a branch stays prepared, with its XIDs, or if there is no lock; SQL_FAILED without a right
     */
    static ShardSnapshot open(MysqlClient client, Peer shard) {
        try (SqlSession lock = SqlSession.open(client, shard)) {
            lock.run("SET SESSION lock_wait_timeout = 5");
            String obstacle = "";
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                if (tries > 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                if (!isLocked(lock)) {
                    obstacle = "statements that do not end within 5 s, so that FLUSH TABLES WITH READ LOCK waits";
                    continue;
                }
                Set<Xid> prepared = prepared(lock);
                if (prepared.isEmpty()) {
                    return locked(client, lock);
                }
                obstacle = "prepared branches " + prepared + ": commit or roll them back";
                lock.run("UNLOCK TABLES");
            }
            throw lock.unfit(
                    ErrorCode.DECISION_REFUSED,
                    "expected a moment at which no branch is prepared and no statement runs, found " + obstacle);
        }
    }

    /** The prepared branches of a session's shard; throws SQL_FAILED without the right. */
    static Set<Xid> prepared(SqlSession session) {
        try {
            return PreparedBranches.of(session.connection(), session.peer().timeout());
        } catch (MysqlServerError e) {
            throw session.failed("XA RECOVER, which needs the right XA_RECOVER_ADMIN", e);
        }
    }

    private static boolean isLocked(SqlSession lock) {
        try {
            var unused = lock.query("FLUSH TABLES WITH READ LOCK");
            return true;
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_LOCK_WAIT_TIMEOUT)) {
                return false;
            }
            throw lock.failed("FLUSH TABLES WITH READ LOCK, which needs the right RELOAD", e);
        }
    }

    private static ShardSnapshot locked(MysqlClient client, SqlSession lock) {
        SqlSession session = TableServers.prepared(client, lock.peer());
        try {
            session.run(
                    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                    "START TRANSACTION WITH CONSISTENT SNAPSHOT");
            GtidSet executed = GtidSet.parse(lock.value("SELECT @@GLOBAL.gtid_executed"));
            String uuid = lock.value("SELECT @@GLOBAL.server_uuid");
            lock.run("UNLOCK TABLES");
            return new ShardSnapshot(session, uuid, executed);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
