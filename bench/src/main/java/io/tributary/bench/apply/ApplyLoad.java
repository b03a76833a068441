package io.tributary.bench.apply;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions of the bench, by their numbers from 0: even ones change a row, odd ones change two rows of other tables and insert one. Any 3,333
 * consecutive transactions have different rows.
 */
final class ApplyLoad {
    static final String SCHEMA = "bench";

    /** Statements of two consecutive transactions. */
    static final int STATEMENTS_OF_TWO = 4;

    private static final int TABLES = 4;
    private static final int ROWS = 10_000;
    private static final int STEP = 7919;
    private static final int TOGETHER = 100;

    private ApplyLoad() {}

    /** The statements between BEGIN and COMMIT, each of one row. */
    static List<String> statements(long number) {
        if (number % 2 == 0) {
            return List.of(update(number, 0));
        }
        return List.of(
                update(number, 0),
                update(number, 1),
                "INSERT INTO " + SCHEMA + ".made (id, k, c) VALUES (" + (number + 1) + ", " + number % 1000 + ", '"
                        + text(number) + "')");
    }

    private static String update(long number, int index) {
        long id = 1 + (3 * number + index) * STEP % ROWS;
        return "UPDATE " + SCHEMA + ".t" + (number + index) % TABLES + " SET n = " + number + ", c = '" + text(number)
                + "' WHERE id = " + id;
    }

    private static String text(long number) {
        return "value-" + number + "-" + "0123456789".repeat(4);
    }

    /** Creates the tables with their rows; nothing of it is in the binlog. */
    static void prepare(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            sql.execute(
                    "SET SESSION sql_log_bin = 0",
                    "DROP DATABASE IF EXISTS " + SCHEMA,
                    "DROP DATABASE IF EXISTS tributary_apply",
                    "CREATE DATABASE " + SCHEMA,
                    "USE " + SCHEMA,
                    "SET SESSION cte_max_recursion_depth = " + ROWS,
                    "CREATE TABLE made (id BIGINT PRIMARY KEY, k INT NOT NULL, c VARCHAR(80) NOT NULL)");
            for (int table = 0; table < TABLES; table++) {
                sql.execute(
                        "CREATE TABLE t" + table + " (id INT PRIMARY KEY, n BIGINT NOT NULL, c VARCHAR(80) NOT NULL)",
                        "INSERT INTO t" + table
                                + " WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < " + ROWS
                                + ") SELECT i, 0, REPEAT('x', 50) FROM r");
            }
            sql.execute("RESET MASTER");
        }
    }

    /** Commits the first transactions. */
    static void write(MysqlServer server, int transactions) throws SQLException {
        try (Sql sql = server.sql()) {
            List<String> together = new ArrayList<>();
            for (int number = 0; number < transactions; number++) {
                together.add("BEGIN");
                together.addAll(statements(number));
                together.add("COMMIT");
                if (number % TOGETHER == TOGETHER - 1 || number == transactions - 1) {
                    sql.execute(String.join(";", together));
                    together.clear();
                }
            }
        }
    }
}
