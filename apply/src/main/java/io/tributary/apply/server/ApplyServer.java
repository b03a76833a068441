package io.tributary.apply.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.BinlogText;
import io.tributary.schema.sql.SqlNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The server to which a stream is applied. Its control session holds a named lock as long as it is open, so that there is one applier for each stream.
 * The control session is for the thread that reads the stream.
 */
public final class ApplyServer implements AutoCloseable {
    private static final int FIRST_ATOMIC = 80_000;
    private static final Duration STATEMENT_LIMIT = Duration.ofDays(2);
    private static final int LOCK_SECONDS = 10;

    private final MysqlClient client;
    private final Peer peer;
    private final boolean sendsEvents;
    private final SqlSession control;

    private ApplyServer(MysqlClient client, Peer peer, boolean sendsEvents, SqlSession control) {
        this.client = client;
        this.peer = peer;
        this.sendsEvents = sendsEvents;
        this.control = control;
    }

    /**
     * Connects, and becomes the only applier of the stream there.
     *
     * @param sendsEvents whether rows are applied as BINLOG statements
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT if the server is read-only or another applier runs; TARGET_UNREACHABLE,
     *     TARGET_LOGIN_REFUSED, TARGET_FAILED
     */
    public static ApplyServer open(MysqlClient client, Peer peer, boolean sendsEvents, String stream) {
        SqlSession control = SqlSession.open(client, peer);
        try {
            ApplyServer server = new ApplyServer(client, peer, sendsEvents, control);
            server.require(stream);
            control.run(
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00', sql_quote_show_create = 1,"
                            + " lock_wait_timeout = 60");
            return server;
        } catch (RuntimeException e) {
            control.close();
            throw e;
        }
    }

    private void require(String stream) {
        if ("1".equals(control.value("SELECT @@GLOBAL.read_only"))) {
            throw control.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected a server that can be written, found read_only = ON | SET GLOBAL read_only = OFF; the node goes"
                            + " on by itself");
        }
        requireAlone(stream);
    }

    private void requireAlone(String name) {
        String lock = SqlNames.literal("tributary_apply." + name);
        if (!"1".equals(control.value("SELECT GET_LOCK(" + lock + ", " + LOCK_SECONDS + ")"))) {
            throw control.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected no other applier of the stream " + name + ", found that connection "
                            + control.value("SELECT IS_USED_LOCK(" + lock + ")")
                            + " has its lock | stop the other node, or end that connection with KILL if it is gone");
        }
    }

    /** The control session. */
    public SqlSession control() {
        return control;
    }

    /** Throws TARGET_UNREACHABLE if the control session was lost: sessions that wait for transactions do not see that. */
    public void requireOpen() {
        if (!control.connection().isOpen()) {
            throw new TributaryException(
                    ErrorCode.TARGET_UNREACHABLE,
                    peer + ": expected an open control session, found that it was closed");
        }
    }

    /** max_allowed_packet, bytes. */
    public long maxAllowedPacket() {
        return Long.parseLong(control.value("SELECT @@max_allowed_packet"));
    }

    /** Whether it is a MySQL server older than 8.0, or MariaDB: settings of statements are written for it. */
    public boolean isOld() {
        ServerVersion version = ServerVersion.of(control.connection().serverVersion());
        return version.mariadb() || version.number() < FIRST_ATOMIC;
    }

    /** Whether its gtid_executed is the progress. */
    boolean keepsGtids() {
        return sendsEvents && !control.isMariadb() && "ON".equals(control.value("SELECT @@GLOBAL.gtid_mode"));
    }

    /**
     * The progress of a stream.
     *
     * @param start the transactions that are not applied, if the target has no progress
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT if the progress is that of another stream, or is kept in another way
     */
    public ApplyProgress progress(ApplyStream stream, GtidSet start) {
        boolean keepsGtids = keepsGtids();
        boolean hasTables = control.value("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
                        + TableProgress.SCHEMA + "' AND TABLE_NAME = 'streams'")
                != null;
        if (keepsGtids
                && hasTables
                && control.value("SELECT run FROM " + TableProgress.SCHEMA + ".streams WHERE name = "
                                + SqlNames.literal(stream.name()))
                        != null) {
            throw control.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected the progress of apply.name=" + stream.name() + " in gtid_executed, found it in "
                            + TableProgress.SCHEMA
                            + ".streams | continue with apply.backend=sql, or choose another apply.name"
                            + " after the tables were copied again");
        }
        if (keepsGtids) {
            requireAlone(stream.sid().toString()); // the progress has no name there
            return new GtidProgress(control, stream, start, !isOld());
        }
        return TableProgress.begin(control, stream, start.union(only(stream.sid(), executed())));
    }

    /** What the server has executed with GTIDs; empty if it keeps none. */
    private GtidSet executed() {
        return control.isMariadb()
                ? GtidSet.EMPTY
                : GtidSet.parse(control.value("SELECT @@GLOBAL.gtid_executed").replace("\n", ""));
    }

    private static GtidSet only(Sid sid, GtidSet executed) {
        long last = executed.last(sid);
        return last == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder().addRange(sid, 1, last).build().intersect(executed);
    }

    /** A text that no other run on this server has. */
    private String runName() {
        return control.value("SELECT CONCAT(CONNECTION_ID(), '.', UNIX_TIMESTAMP())");
    }

    /** A session that applies rows. */
    public SqlSession openRows() {
        SqlSession session = SqlSession.open(client, peer);
        try {
            session.allowSeveralStatements();
            session.run(
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES',"
                            + " time_zone = '+00:00', foreign_key_checks = 1, unique_checks = 1,"
                            + " innodb_lock_wait_timeout = 5",
                    "SET SESSION autocommit = 0", // a transaction begins with its first row
                    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            prepareEvents(session);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** A session that executes a statement, which may take days. */
    public SqlSession openStatements() {
        SqlSession session =
                SqlSession.open(client, new Peer(peer.role(), peer.name(), peer.endpoint(), STATEMENT_LIMIT));
        try {
            // a table without a key has none on the target either
            var unused = session.isRefused(
                    "SET SESSION sql_generate_invisible_primary_key = 0",
                    MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE,
                    MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR);
            prepareEvents(session); // rows of CREATE TABLE ... SELECT follow
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Sends the format of the events in BINLOG statements. It leaves a gtid_next that waits for an event with a GTID. */
    private void prepareEvents(SqlSession session) {
        if (sendsEvents) {
            ByteBuf text = Unpooled.buffer(1024);
            BinlogText.append(text, BinlogText.formatDescription());
            session.run(text.toString(StandardCharsets.US_ASCII));
            if (!session.isMariadb()) {
                session.run("SET gtid_next='AUTOMATIC'");
            }
        }
    }

    /** The order in which its sessions commit. */
    public Turn turns(boolean isStrict, int sessions) {
        return isStrict ? new LockChain(runName(), sessions) : Turn.NONE;
    }

    @Override
    public void close() {
        control.close();
    }
}
