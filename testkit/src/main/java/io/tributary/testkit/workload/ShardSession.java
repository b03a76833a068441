package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A worker's session on one shard; it logs in at its first use, and again after a lost connection. */
final class ShardSession implements AutoCloseable {
    private final MysqlServer server;
    private final String[] atLogin;
    private Sql sql;

    /** @param atLogin statements to run after each login */
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

    /** Whether the error means that the connection or the server is lost. */
    static boolean isLost(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("08");
    }

    /** Closes the connection without COM_QUIT, as a killed process does. */
    void drop() {
        if (sql == null) {
            return;
        }
        try {
            sql.connection().abort(Runnable::run);
        } catch (SQLException e) {
            sql = null; // it was already lost
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
