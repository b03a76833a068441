package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.ShardErrors;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The check of the account's rights. It runs statements that need these rights, so that roles are included. None of the statements writes, so
 * none is in the shard's binlog, with any binlog_format. Rights that no statement can check are read from the account's grants.
 */
final class ShardRights {
    /** The account may lack the right for it; that does no harm, because no later statement writes. */
    private static final String ROW_FORMAT = "SET SESSION binlog_format = ROW";

    /** Needs the right to write the row, and fails if a write would fail, but is not executed. */
    private static final String EXPLAINED_UPDATE = "EXPLAIN UPDATE tributary.heartbeat SET epoch = epoch WHERE id = 0";

    private final String shard;
    private final MysqlConnection connection;
    private final Duration deadline;
    private final List<ShardProblem> problems;
    private String account = "";

    /** @param problems receives the problems */
    ShardRights(String shard, MysqlConnection connection, Duration deadline, List<ShardProblem> problems) {
        this.shard = shard;
        this.connection = connection;
        this.deadline = deadline;
        this.problems = problems;
    }

    /** Checks the rights on the server that is read. */
    void checkReading() {
        begin();
        checkGlobal("REPLICATION SLAVE", "SHOW BINLOG EVENTS LIMIT 1");
        checkGlobal("REPLICATION CLIENT", "SHOW BINARY LOGS");
        checkSelect();
    }

    /** Checks the rights on the server to which heartbeat rounds are written. */
    void checkRounds() {
        begin();
        checkHeartbeatTable();
    }

    private void begin() {
        var unused = failureOf(ROW_FORMAT);
        account = account(query("SELECT CURRENT_USER()").rows().get(0).text(0));
    }

    private void checkGlobal(String right, String statement) {
        if (ShardErrors.isDenied(failureOf(statement))) {
            add(right, "the right " + right, "none", "GRANT " + right + " ON *.* TO " + account);
        }
    }

    /** Checks SELECT: information_schema shows only tables on which the account has a right. Rows are read without it, so it is a warning. */
    private void checkSelect() {
        if (!mayHave("SELECT", "*.*")) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    true,
                    shard,
                    "SELECT",
                    "the right SELECT on *.*, so that the names of all tables can be read",
                    "none: DDL statements wait until it is granted",
                    "GRANT SELECT ON *.* TO " + account));
        }
    }

    private void checkHeartbeatTable() {
        MysqlServerError read = failureOf(HeartbeatTable.SELECT_ROW);
        if (ShardErrors.isMissingTable(read)) {
            if (!mayHave("CREATE", "*.*", "`TRIBUTARY`.*", "`%`.*")) {
                add(
                        "tributary.heartbeat",
                        "the table, or the right to create it",
                        "neither",
                        String.join("; ", HeartbeatTable.setup()) + "; " + HeartbeatTable.grant(account));
            }
            return;
        }
        MysqlServerError write = failureOf(EXPLAINED_UPDATE);
        if (ShardErrors.isDenied(read) || ShardErrors.isDenied(write)) {
            // without any right on a table the server does not show whether it exists
            add(
                    "tributary.heartbeat",
                    "rights on it",
                    "none or not all",
                    String.join("; ", HeartbeatTable.setup()) + "; " + HeartbeatTable.grant(account));
        } else if (write != null
                && !write.is(MysqlError.ER_OPTION_PREVENTS_STATEMENT) // a setting, which another check reports
                && !write.is(MysqlError.ER_PARSE_ERROR)) { // a server without EXPLAIN UPDATE: not known
            add(
                    "tributary.heartbeat",
                    "a table that accepts heartbeat rounds",
                    write.getMessage(),
                    "make it writable: SET PERSIST transaction_read_only = OFF, ALTER DATABASE tributary READ ONLY = 0");
        }
    }

    /** Checks the account's grants; true if it cannot be decided because of roles. */
    private boolean mayHave(String right, String... places) {
        for (QueryResult.Row row : query("SHOW GRANTS").rows()) {
            String grant = row.text(0).toUpperCase(Locale.ROOT);
            int on = grant.indexOf(" ON ");
            if (on < 0) { // a role
                return true;
            }
            String rights = grant.substring(0, on);
            boolean isHere = Stream.of(places).anyMatch(place -> grant.startsWith(" ON " + place + " ", on));
            boolean isGranted =
                    rights.equals("GRANT ALL PRIVILEGES") || rights.matches("GRANT (.*, )?" + right + "(,.*)?");
            if (isHere && isGranted) {
                return true;
            }
        }
        return false;
    }

    private QueryResult query(String sql) {
        return connection.query(sql, deadline);
    }

    /** The server's error, or null if it executed the statement. */
    private MysqlServerError failureOf(String statement) {
        try {
            query(statement);
            return null;
        } catch (MysqlServerError e) { // the error is the result
            return e;
        }
    }

    /** The account in the form of GRANT, from the value of CURRENT_USER(). */
    static String account(String user) {
        int at = user.lastIndexOf('@');
        return "'" + user.substring(0, at) + "'@'" + user.substring(at + 1) + "'";
    }

    private void add(String what, String expected, String found, String remedy) {
        problems.add(new ShardProblem(ErrorCode.SHARD_UNFIT, false, shard, what, expected, found, remedy));
    }
}
