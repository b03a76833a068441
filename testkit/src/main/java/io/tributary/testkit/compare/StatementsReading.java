package io.tributary.testkit.compare;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The answers that a JDBC client receives for the statements that binlog clients send: the columns of each answer or its error; also the rows, for
 * statements whose answers are the same on every server with the same tables.
 */
public final class StatementsReading {
    /** Statements whose answers have the same columns on every MySQL 8.0 server. */
    public static final List<String> STATEMENTS = List.of(
            "SELECT 1",
            "SELECT VERSION()",
            "SELECT UNIX_TIMESTAMP()",
            "SELECT @@GLOBAL.SERVER_ID",
            "SELECT @@GLOBAL.SERVER_UUID",
            "SELECT @@GLOBAL.GTID_MODE",
            "SELECT @@global.gtid_executed, @@global.gtid_purged",
            "SELECT @@max_allowed_packet,@@wait_timeout",
            "SELECT @@no_such_variable",
            "SHOW MASTER STATUS",
            "SHOW BINARY LOGS",
            "SHOW BINLOG EVENTS LIMIT 3",
            "SHOW VARIABLES LIKE 'server_id'",
            "SHOW GLOBAL VARIABLES LIKE 'binlog\\_%'",
            "SHOW VARIABLES WHERE Variable_name IN ('character_set_server', 'collation_server')",
            "SHOW STATUS LIKE 'Uptime'",
            "SHOW REPLICAS",
            "SHOW PROCESSLIST",
            "SHOW DATABASES",
            "SHOW FULL TABLES IN shop WHERE Table_Type = 'BASE TABLE'",
            "SHOW CREATE TABLE shop.words",
            "SHOW FULL COLUMNS FROM shop.words",
            "SET @master_heartbeat_period = 30000001024",
            "SET NAMES utf8mb4",
            "SELECT GTID_SUBTRACT('', '')",
            "no statement at all");

    private static final Set<String> WITH_ROWS = Set.of(
            "SELECT 1",
            "SELECT @@GLOBAL.GTID_MODE",
            "SHOW VARIABLES WHERE Variable_name IN ('character_set_server', 'collation_server')",
            "SHOW FULL TABLES IN shop WHERE Table_Type = 'BASE TABLE'",
            "SHOW CREATE TABLE shop.words",
            "SHOW FULL COLUMNS FROM shop.words",
            "SELECT GTID_SUBTRACT('', '')");

    private StatementsReading() {}

    /** The statements, one per line, with a {@code =} before those whose rows are compared. */
    public static List<String> script() {
        return STATEMENTS.stream()
                .map(text -> WITH_ROWS.contains(text) ? "=" + text : text)
                .toList();
    }

    /** The version of the driver whose class name has this prefix. */
    public static String version(String driverClass) {
        return DriverManager.drivers()
                .filter(driver -> driver.getClass().getName().startsWith(driverClass))
                .map(driver -> driver.getMajorVersion() + "." + driver.getMinorVersion())
                .findFirst()
                .orElse("");
    }

    /** Runs all statements and closes the session. */
    public static Reading of(Connection session) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (session;
                Statement statement = session.createStatement()) {
            for (String text : STATEMENTS) {
                lines.add("R\tstatement\t" + text + "\t" + answer(statement, text));
                lines.add("T");
            }
        }
        return Reading.parse(lines);
    }

    private static String answer(Statement statement, String text) {
        try {
            if (!statement.execute(text)) {
                return "OK";
            }
            try (ResultSet result = statement.getResultSet()) {
                ResultSetMetaData columns = result.getMetaData();
                List<String> words = new ArrayList<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    words.add(columns.getColumnLabel(i));
                }
                while (WITH_ROWS.contains(text) && result.next()) {
                    for (int i = 1; i <= columns.getColumnCount(); i++) {
                        words.add(result.getString(i));
                    }
                }
                return words.toString();
            }
        } catch (SQLException e) {
            return "error " + e.getErrorCode();
        }
    }
}
