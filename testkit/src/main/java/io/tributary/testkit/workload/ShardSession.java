package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A worker's session on one shard; it logs in when it is first needed and again after the connection was lost. */
final class ShardSession implements AutoCloseable {
    private final MysqlServer server;
    private final String[] atLogin;
    private Sql sql;

    /** @param atLogin statements that set the session up */
    ShardSession(MysqlServer server, String... atLogin) {
        this.server = server;
        this.atLogin = atLogin;
    }

    MysqlServer server() {
        return server;
    }

    /** Runs statements, in one text with semicolons or several. A lost connection is dropped before the error is thrown. */
    void run(String... statements) throws SQLException {
        try {
            sql().execute(statements);
        } catch (SQLException e) {
            dropIfLost(e);
            throw e;
        }
    }

    List<Map<String, String>> rows(String query) throws SQLException {
        try {
            return sql().rows(query);
        } catch (SQLException e) {
            dropIfLost(e);
            throw e;
        }
    }

    private Sql sql() throws SQLException {
        if (sql == null) {
            sql = server.sql();
            sql.execute("SET SESSION innodb_lock_wait_timeout = 10").execute(atLogin);
        }
        return sql;
    }

    private void dropIfLost(SQLException e) {
        if (isLost(e)) {
            drop();
        }
    }

    /** Whether the error says that the connection or the server is gone. */
    static boolean isLost(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("08");
    }

    /** Closes the connection without a word to the server, as a process does that dies. */
    void drop() {
        if (sql == null) {
            return;
        }
        try {
            sql.connection().abort(Runnable::run);
        } catch (SQLException e) {
            sql = null; // it was lost already
        }
        sql = null;
    }

    @Override
    public void close() {
        try {
            if (sql != null) {
                sql.close();
            }
        } catch (SQLException e) {
            drop();
        }
        sql = null;
    }
}
