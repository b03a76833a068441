package io.tributary.seed.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;

/**
 * The sessions of one seed that write its target, and the end of those of earlier seeds, whose processes may be frozen and resume later. Each seed has
 * an epoch, which is greater than those of all earlier seeds of this server. A session is admitted while its epoch is the newest one, and the
 * next seed ends all sessions of earlier epochs before it writes. So a session that is open is one of the newest seed. In addition
 * each transaction commits only after {@link #check()} succeeded in it. Any thread.
 *
 * <p>Nothing of it is in the target's binlog.
 */
public final class TargetWriters {
    /** The schema of all that a seed stores in the target. */
    public static final String SCHEMA = "tributary_seed";

    private static final String EPOCHS = SCHEMA + ".epochs";
    private static final String WRITERS = SCHEMA + ".writers";
    private static final int MOST_TRIES = 60;

    private final MysqlClient client;
    private final Peer peer;
    private final String epoch;

    private TargetWriters(MysqlClient client, Peer peer, String epoch) {
        this.client = client;
        this.peer = peer;
        this.epoch = epoch;
    }

    /**
     * Begins the next epoch, and ends the sessions of earlier ones.
     *
     * @param control a session with sql_log_bin = 0 that holds the lock of the only seed of this server; not owned
     * @throws TributaryException TARGET_UNFIT if an earlier session cannot be ended, TARGET_FAILED, TARGET_UNREACHABLE
     */
    public static TargetWriters begin(MysqlClient client, SqlSession control) {
        control.run(
                "CREATE DATABASE IF NOT EXISTS " + SCHEMA + " CHARACTER SET utf8mb4",
                "CREATE TABLE IF NOT EXISTS " + EPOCHS
                        + " (epoch BIGINT PRIMARY KEY, begun DATETIME NOT NULL) ENGINE=InnoDB",
                "CREATE TABLE IF NOT EXISTS " + WRITERS
                        + " (epoch BIGINT, connection BIGINT, PRIMARY KEY (epoch, connection)) ENGINE=InnoDB",
                "START TRANSACTION",
                "SELECT epoch FROM " + EPOCHS
                        + " FOR UPDATE", // waits for the transactions that have checked an earlier one
                "SET @tributary_epoch = (SELECT GREATEST(COALESCE(MAX(epoch), 0) + 1,"
                        + " CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)) FROM " + EPOCHS + ")",
                "INSERT INTO " + EPOCHS + " VALUES (@tributary_epoch, UTC_TIMESTAMP())",
                "COMMIT");
        TargetWriters writers =
                new TargetWriters(client, control.peer(), control.value("SELECT MAX(epoch) FROM " + EPOCHS));
        writers.endEarlier(control);
        return writers;
    }

    private void endEarlier(SqlSession control) {
        String earlier = " WHERE epoch < " + epoch;
        String sql = "SELECT epoch, connection FROM " + WRITERS + earlier;
        try {
            for (QueryResult.Row row : control.query(sql).rows()) {
                end(control, marker(row.text(0), row.text(1)));
            }
        } catch (MysqlServerError e) {
            throw control.failed(sql, e);
        }
        control.run("DELETE FROM " + WRITERS + earlier, "DELETE FROM " + EPOCHS + earlier);
    }

    /** Ends the session that holds a marker. The server releases it after it has rolled back the session's transaction. */
    private static void end(SqlSession control, String marker) {
        String holder = "SELECT IS_USED_LOCK(" + marker + ")";
        String found = control.value(holder);
        for (int tries = 0; found != null; tries++) {
            if (tries == MOST_TRIES) {
                throw control.unfit(
                        ErrorCode.TARGET_UNFIT,
                        "expected the end of connection " + found + ", which writes for an earlier seed, found that it"
                                + " still runs " + MOST_TRIES + " s after KILL | wait until its transaction is rolled"
                                + " back, then run the seed again");
            }
            kill(control, found);
            if ("1".equals(control.value("SELECT GET_LOCK(" + marker + ", 1)"))) {
                control.run("DO RELEASE_LOCK(" + marker + ")");
            }
            found = control.value(holder);
        }
    }

    private static void kill(SqlSession control, String connection) {
        String kill = "KILL " + connection;
        try {
            var unused = control.query(kill);
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_KILL_DENIED_ERROR)) {
                throw control.unfit(
                        ErrorCode.TARGET_UNFIT,
                        "expected the right to end connection " + connection + ", which writes for an earlier seed,"
                                + " found none | run " + kill + " as root, or use the account of the earlier seed");
            }
            if (!e.is(MysqlError.ER_NO_SUCH_THREAD)) {
                throw control.failed(kill, e);
            }
        }
    }

    /** The name of the lock that a session holds as long as it is open: the id of a connection may be used again after a restart. */
    private static String marker(String epoch, String connection) {
        return "'" + SCHEMA + "." + epoch + "." + connection + "'";
    }

    /** The target. */
    public Peer peer() {
        return peer;
    }

    /**
     * Opens a session that may write as long as it is open.
     *
     * @throws TributaryException TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED if a later seed has begun
     */
    public SqlSession open() {
        return open(peer.timeout());
    }

    /** The same with another maximum time for the answer to one statement. */
    public SqlSession open(Duration timeout) {
        SqlSession session = SqlSession.open(client, new Peer(peer.role(), peer.name(), peer.endpoint(), timeout));
        try {
            String connection = session.value("SELECT CONNECTION_ID()");
            session.run(
                    "DO GET_LOCK(" + marker(epoch, connection) + ", 0)",
                    "SET SESSION sql_log_bin = 0",
                    "START TRANSACTION",
                    check(),
                    "INSERT INTO " + WRITERS + " VALUES (" + epoch + ", " + connection + ")",
                    "COMMIT",
                    "SET SESSION sql_log_bin = 1");
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /**
     * A statement that fails in a session of a seed that is not the newest one. Until its transaction ends, no later one begins. It has no result, and is
     * not in the binlog.
     */
    public String check() {
        return "SET @tributary_newest = (SELECT POW(10, 400 * (COALESCE(MAX(epoch), 0) <> " + epoch + ")) FROM "
                + EPOCHS + " WHERE epoch >= " + epoch + " LOCK IN SHARE MODE)";
    }

    /** The error to report for a failure of this seed: another one if a later seed has ended its sessions. */
    public TributaryException explained(TributaryException failure) {
        try (SqlSession session = SqlSession.open(client, peer)) {
            QueryResult later = session.query(
                    "SELECT begun FROM " + EPOCHS + " WHERE epoch > " + epoch + " ORDER BY epoch LIMIT 1");
            return later.isEmpty() ? failure : replaced("has begun at " + later.text(0, "begun") + " UTC", failure);
        } catch (MysqlServerError e) {
            boolean isRemoved = e.is(MysqlError.ER_NO_SUCH_TABLE, MysqlError.ER_BAD_DB_ERROR);
            return isRemoved ? replaced("has completed", failure) : failure;
        } catch (TributaryException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    private TributaryException replaced(String how, TributaryException failure) {
        return new TributaryException(
                ErrorCode.SEED_FAILED,
                peer + ": expected no other seed of this server, found that a later one " + how + " and has ended the"
                        + " sessions of this one, which has written nothing since then | look at the later one ("
                        + failure.getMessage() + ")",
                failure);
    }
}
