package io.tributary.replay.session;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.RowQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A connection with blocking statements. For one thread; {@link #close} may be called by any thread and ends a running statement. */
public final class SqlSession implements AutoCloseable {
    /** A session may be idle while others copy for days. */
    private static final String KEEP_OPEN = "SET SESSION wait_timeout = 604800";

    private final Peer peer;
    private final MysqlConnection connection;

    private SqlSession(Peer peer, MysqlConnection connection) {
        this.peer = peer;
        this.connection = connection;
    }

    /**
     * Connects and logs in.
     *
     * @throws TributaryException an error of the peer's role: *_UNREACHABLE, also if another server than {@link Peer#identity} answers;
     *     *_LOGIN_REFUSED
     */
    public static SqlSession open(MysqlClient client, Peer peer) {
        SqlSession session = connect(client, peer);
        try {
            session.run(KEEP_OPEN);
            session.requireIdentity();
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static SqlSession connect(MysqlClient client, Peer peer) {
        try {
            return new SqlSession(peer, client.connect(peer.endpoint()).join());
        } catch (CompletionException e) {
            throw PeerErrors.ofLogin(peer, e.getCause());
        }
    }

    private void requireIdentity() {
        String expected = peer.identity();
        if (!expected.isEmpty() && !expected.equals(identity())) {
            throw PeerErrors.ofTransport(
                    peer,
                    new IllegalStateException("expected the server " + expected + " at " + peer.endpoint() + ", found "
                            + identity() + ": another server of this shard has taken over | run the command again"));
        }
    }

    /** What distinguishes the server from another one that answers at the same address later: its UUID; for MariaDB host, port and id. */
    public String identity() {
        return value(
                isMariadb() ? "SELECT CONCAT_WS(':', @@hostname, @@port, @@server_id)" : "SELECT @@GLOBAL.server_uuid");
    }

    /** The server. */
    public Peer peer() {
        return peer;
    }

    /** The connection itself, such as for a replication stream. */
    public MysqlConnection connection() {
        return connection;
    }

    /** Whether the server is MariaDB. */
    public boolean isMariadb() {
        return connection.isMariadb();
    }

    /**
     * Runs a statement.
     *
     * @throws MysqlServerError if the server refuses it: see {@link #failed}
     * @throws TributaryException *_UNREACHABLE if the connection is lost, or there is no answer within the peer's timeout
     */
    public QueryResult query(String sql) {
        try {
            return connection.query(sql, peer.timeout());
        } catch (TributaryException e) {
            throw PeerErrors.ofTransport(peer, e);
        }
    }

    /** The same for the bytes of a statement, which this method releases. */
    public QueryResult query(ByteBuf statement) {
        return await(send(statement));
    }

    /** The same for a text of several statements, whose number is given: see {@link MysqlConnection#query(ByteBuf, int)}. */
    public QueryResult query(ByteBuf text, int statements) {
        return await(send(text, statements));
    }

    /** Sends the bytes of a statement, which are released, and does not wait; see {@link #await}. */
    public CompletableFuture<QueryResult> send(ByteBuf statement) {
        return connection.query(statement);
    }

    /** The same for a text of several statements, after {@link #allowSeveralStatements}. */
    public CompletableFuture<QueryResult> send(ByteBuf text, int statements) {
        return connection.query(text, statements);
    }

    /** Sends a statement and does not wait; see {@link #await}. */
    public CompletableFuture<QueryResult> send(String sql) {
        return connection.query(sql);
    }

    /** Lets the session run several statements in one text. */
    public void allowSeveralStatements() {
        try {
            var unused = await(connection.allowSeveralStatements());
        } catch (MysqlServerError e) {
            throw failed("COM_SET_OPTION", e);
        }
    }

    /** Waits for the answer to a sent statement; errors as in {@link #query(String)}. */
    public QueryResult await(CompletableFuture<QueryResult> answer) {
        try {
            return connection.await(answer, peer.timeout());
        } catch (TributaryException e) {
            throw PeerErrors.ofTransport(peer, e);
        }
    }

    /** Sends a statement whose rows are read by {@link #next}; about {@code queueBytes} of them wait in memory. */
    public RowQueue stream(String sql, int queueBytes) {
        return connection.stream(sql, queueBytes);
    }

    /** The next row of a stream of this session, null after the last one; errors as in {@link #query(String)}. */
    public ByteBuf next(RowQueue rows) {
        try {
            return rows.next(peer.timeout());
        } catch (TributaryException e) {
            throw PeerErrors.ofTransport(peer, e);
        }
    }

    /** Runs statements; an error of the server is thrown as {@link #failed} with the statement's text. */
    public void run(String... statements) {
        for (String sql : statements) {
            try {
                var unused = query(sql);
            } catch (MysqlServerError e) {
                throw failed(sql, e);
            }
        }
    }

    /** The value in the first row and column, null for NULL or no row; errors as in {@link #run}. */
    public String value(String sql) {
        try {
            QueryResult result = query(sql);
            return result.isEmpty() ? null : result.rows().get(0).text(0);
        } catch (MysqlServerError e) {
            throw failed(sql, e);
        }
    }

    /** Whether the server has this error as the answer to a statement; other errors are thrown as in {@link #run}. */
    public boolean isRefused(String sql, MysqlError... errors) {
        try {
            var unused = query(sql);
            return false;
        } catch (MysqlServerError e) {
            if (e.is(errors)) {
                return true;
            }
            throw failed(sql, e);
        }
    }

    /**
     * The error for a statement that the server refused.
     *
     * @param doing the statement, or what it was for
     */
    public TributaryException failed(String doing, MysqlServerError error) {
        return PeerErrors.ofStatement(peer, doing, error);
    }

    /** An error that an operator has to correct on this server. */
    public TributaryException unfit(ErrorCode code, String message) {
        return new TributaryException(code, peer + ": " + message);
    }

    @Override
    public void close() {
        connection.close();
    }
}
