package io.tributary.bench.apply;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;

/**
 * Transactions that count in two tables in turns: transaction 2k sets a row of the first table to k + 1, transaction 2k + 1 one of the second. Each
 * table has several rows, used in turns, so that consecutive transactions could be applied in any order.
 */
final class CounterLoad {
    /** The counts and the sums of both tables, as one statement sees them. */
    static final String READ = "SELECT (SELECT MAX(n) FROM bench.a) AS a, (SELECT SUM(n) FROM bench.a) AS sum_a,"
            + " (SELECT MAX(n) FROM bench.b) AS b, (SELECT SUM(n) FROM bench.b) AS sum_b";

    private static final int ROWS = 64;
    private static final int TOGETHER = 100;

    private CounterLoad() {}

    static void prepare(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            sql.execute(
                    "SET SESSION sql_log_bin = 0",
                    "DROP DATABASE IF EXISTS bench",
                    "DROP DATABASE IF EXISTS tributary_apply",
                    "CREATE DATABASE bench",
                    "USE bench");
            for (String table : new String[] {"a", "b"}) {
                sql.execute(
                        "CREATE TABLE " + table + " (id INT PRIMARY KEY, n BIGINT NOT NULL)",
                        "INSERT INTO " + table
                                + " WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < "
                                + (ROWS - 1) + ") SELECT i, 0 FROM r");
            }
            sql.execute("RESET MASTER");
        }
    }

    static void write(MysqlServer server, int transactions) throws SQLException {
        try (Sql sql = server.sql()) {
            StringBuilder text = new StringBuilder();
            for (int number = 0; number < transactions; number++) {
                text.append(text.isEmpty() ? "" : ";")
                        .append("UPDATE bench.")
                        .append(number % 2 == 0 ? "a" : "b")
                        .append(" SET n = ")
                        .append(number / 2 + 1)
                        .append(" WHERE id = ")
                        .append(number / 2 % ROWS);
                if (number % TOGETHER == TOGETHER - 1 || number == transactions - 1) {
                    sql.execute(text.toString());
                    text.setLength(0);
                }
            }
        }
    }

    /** Whether all transactions up to one of them are there, and no later one. */
    static boolean isOrdered(long a, long sumA, long b, long sumB) {
        return (a == b || a == b + 1) && sumA == sum(a) && sumB == sum(b);
    }

    /** The sum of a table that has counted to this number. */
    private static long sum(long count) {
        long rows = Math.min(ROWS, count);
        return rows * (2 * count - rows + 1) / 2;
    }
}
