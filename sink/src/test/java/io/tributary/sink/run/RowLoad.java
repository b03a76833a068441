package io.tributary.sink.run;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Random transactions on {@code shop.t (id, v, note)}, each of which changes rows: of one connection after another or of several at the same time. */
final class RowLoad {
    private static final int KEYS = 200;
    private static final int MOST = 6000;
    private static final long PAUSE_NANOS = 5_000_000;

    private final MysqlServer server;
    private volatile boolean isStopped;
    private volatile boolean isSlow;
    private final AtomicLong transactions = new AtomicLong();

    RowLoad(MysqlServer server) {
        this.server = server;
    }

    static void create(MysqlServer server) throws SQLException {
        server.execute(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.t (id INT PRIMARY KEY, v BIGINT NOT NULL, note VARCHAR(200))");
    }

    /** Runs until {@link #stop}, for a limited number of transactions; each connection has keys of its own, so that none waits for a lock. */
    CompletableFuture<Void> start(ExecutorService threads, int connection, long seed) {
        return CompletableFuture.runAsync(() -> run(connection, new Random(seed + connection), MOST), threads);
    }

    void run(int connection, Random random, long most) {
        try (Sql sql = server.sql()) {
            for (long i = 0; i < most && !isStopped; i++) {
                sql.execute("BEGIN");
                int rows = 1 + random.nextInt(4);
                for (int row = 0; row < rows; row++) {
                    change(sql, connection * 10_000 + random.nextInt(KEYS), random);
                }
                sql.execute("COMMIT");
                transactions.incrementAndGet();
                if (isSlow) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void change(Sql sql, int key, Random random) throws SQLException {
        long value = random.nextLong();
        int kind = random.nextInt(10);
        // an INSERT first, so that each transaction has at least one row
        sql.execute(
                "REPLACE INTO shop.t VALUES (" + key + ", " + value + ", REPEAT('x', " + random.nextInt(150) + "))");
        if (kind < 3) {
            sql.execute("UPDATE shop.t SET v = v + 1 WHERE id = " + key);
        } else if (kind < 5) {
            sql.execute("DELETE FROM shop.t WHERE id = " + key);
        } else if (kind == 5) {
            int free = key + 5_000;
            sql.execute(
                    "DELETE FROM shop.t WHERE id = " + free, "UPDATE shop.t SET id = " + free + " WHERE id = " + key);
        }
    }

    long transactions() {
        return transactions.get();
    }

    /** From now on each connection waits after each transaction. */
    void slowDown() {
        isSlow = true;
    }

    void stop() {
        isStopped = true;
    }
}
