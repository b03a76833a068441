package io.tributary.local.example;

import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.List;

/** A connection to one shard and its current XA branch: the statements of the example, in the order of their use. */
final class TransferBranch implements AutoCloseable {
    static final int ACCOUNTS = 100;
    static final int BALANCE = 1000;

    /** The table from which Tributary reads a transaction's timestamp ({@code order.tso.table}). Only the binlog events of its rows are used. */
    private static final List<String> MARKER_TABLE = List.of(
            "CREATE DATABASE IF NOT EXISTS tributary",
            "CREATE TABLE IF NOT EXISTS tributary.commit_tso (tso BIGINT UNSIGNED NOT NULL PRIMARY KEY)");

    private static final List<String> ACCOUNTS_TABLE = List.of(
            "CREATE DATABASE IF NOT EXISTS tso_example",
            "CREATE TABLE IF NOT EXISTS tso_example.accounts (id INT NOT NULL PRIMARY KEY, balance INT NOT NULL)");

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final MysqlConnection connection;
    private String xid;

    TransferBranch(MysqlClient client, Endpoint shard) {
        this.connection = client.connect(shard).join();
        run("SET SESSION innodb_lock_wait_timeout = 5");
    }

    /** Creates the tables and accounts that do not exist; each account gets its first balance. */
    void prepareTables() {
        MARKER_TABLE.forEach(this::run);
        ACCOUNTS_TABLE.forEach(this::run);
        StringBuilder rows = new StringBuilder();
        for (int id = 0; id < ACCOUNTS; id++) {
            rows.append(id == 0 ? "" : ", ")
                    .append('(')
                    .append(id)
                    .append(", ")
                    .append(BALANCE)
                    .append(')');
        }
        run("INSERT IGNORE INTO tso_example.accounts VALUES " + rows);
    }

    /** Runs XA START and the update: from now on the branch holds its locks. */
    void begin(String gtrid, String bqual, int account, int amount) {
        xid = "'" + gtrid + "','" + bqual + "',1";
        run("XA START " + xid);
        run("UPDATE tso_example.accounts SET balance = balance + " + amount + " WHERE id = " + account);
    }

    /** Writes the marker row, after the last lock and before the prepare. It is deleted at once, so the table stays empty. */
    void mark(long tso) {
        run("INSERT INTO tributary.commit_tso VALUES (" + tso + ")");
        run("DELETE FROM tributary.commit_tso WHERE tso = " + tso);
    }

    void prepare() {
        run("XA END " + xid);
        run("XA PREPARE " + xid);
    }

    void commit() {
        run("XA COMMIT " + xid);
        xid = null;
    }

    /** Rolls the branch back in any state. If the branch has not begun, or does not exist any more, the server's error is ignored. */
    void rollBack() {
        if (xid != null) {
            runIfItCan("XA END " + xid);
            runIfItCan("XA ROLLBACK " + xid);
            xid = null;
        }
    }

    /** The sum of the balances on this shard. */
    long sum() {
        QueryResult result =
                connection.query("SELECT CAST(SUM(balance) AS CHAR) AS s FROM tso_example.accounts", LIMIT);
        return Long.parseLong(result.text(0, "s"));
    }

    private void runIfItCan(String sql) {
        try {
            run(sql);
        } catch (MysqlServerError e) {
            return; // the branch is not in a state for this statement
        }
    }

    private void run(String sql) {
        connection.query(sql, LIMIT);
    }

    @Override
    public void close() {
        connection.close();
    }
}
