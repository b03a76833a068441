package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Whether the account has the rights that Tributary needs: it tries statements that need them, so roles count too. None of them writes, so
 * that none stands in the shard's binlog, whatever its binlog_format. What no statement tells is looked up in the account's grants.
 */
final class ShardRights {
    /** The account may lack the right to it, and then nothing is lost: no statement that follows writes. */
    private static final String ROW_FORMAT = "SET SESSION binlog_format = ROW";

    /** Needs the right to write the row, and fails where a write would fail, but is not executed. */
    private static final String EXPLAINED_UPDATE = "EXPLAIN UPDATE tributary.heartbeat SET epoch = epoch WHERE id = 0";

    private static final int READ_ONLY_SERVER = 1290;

    private final String shard;
    private final MysqlConnection connection;
    private final Duration deadline;
    private final List<ShardProblem> problems;
    private String account = "";

    /** @param problems takes what is found */
    ShardRights(String shard, MysqlConnection connection, Duration deadline, List<ShardProblem> problems) {
        this.shard = shard;
        this.connection = connection;
        this.deadline = deadline;
        this.problems = problems;
    }

    /** Of the server that is read. */
    void checkReading() {
        begin();
        checkGlobal("REPLICATION SLAVE", "SHOW BINLOG EVENTS LIMIT 1");
        checkGlobal("REPLICATION CLIENT", "SHOW BINARY LOGS");
        checkSelect();
    }

    /** Of the server that heartbeat rounds are written to. */
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

    /** information_schema shows only the tables on which the account has a right. Rows are read all the same: a warning. */
    private void checkSelect() {
        if (!mayHave("SELECT", "*.*")) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    true,
                    shard,
                    "SELECT",
                    "the right SELECT on *.*, so that the names of all tables are seen",
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
                        "the table, or the right to make it",
                        "neither",
                        String.join("; ", HeartbeatTable.setup()) + "; " + HeartbeatTable.grant(account));
            }
            return;
        }
        MysqlServerError write = failureOf(EXPLAINED_UPDATE);
        if (ShardErrors.isDenied(read) || ShardErrors.isDenied(write)) {
            // without any right on it one is not told whether a table exists
            add(
                    "tributary.heartbeat",
                    "rights on it",
                    "none or not all",
                    String.join("; ", HeartbeatTable.setup()) + "; " + HeartbeatTable.grant(account));
        } else if (write != null
                && write.errorCode() != READ_ONLY_SERVER // a setting, and found as such
                && write.errorCode() != ShardErrors.SYNTAX) { // a server that has no EXPLAIN UPDATE tells nothing
            add(
                    "tributary.heartbeat",
                    "a table that takes heartbeat rounds",
                    write.getMessage(),
                    "make it writable: SET PERSIST transaction_read_only = OFF, ALTER DATABASE tributary READ ONLY = 0");
        }
    }

    /** By the account's grants; true where roles make it impossible to tell. */
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

    /** The server's error, or null when it obeyed. */
    private MysqlServerError failureOf(String statement) {
        try {
            query(statement);
            return null;
        } catch (MysqlServerError e) { // what it says is what was asked for
            return e;
        }
    }

    /** As GRANT takes it, of what CURRENT_USER() says. */
    static String account(String user) {
        int at = user.lastIndexOf('@');
        return "'" + user.substring(0, at) + "'@'" + user.substring(at + 1) + "'";
    }

    private void add(String what, String expected, String found, String remedy) {
        problems.add(new ShardProblem(ErrorCode.SHARD_UNFIT, false, shard, what, expected, found, remedy));
    }
}
