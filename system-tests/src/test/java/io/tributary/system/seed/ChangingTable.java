package io.tributary.system.seed;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A load on tables that a copy finds difficult: updates of the key, swaps of unique values in one statement, deletes and inserts of the same key, a table
 * without a key, and parents whose deletes cascade. One thread for each shard.
 */
final class ChangingTable implements AutoCloseable {
    static final String SCHEMA = "shop";
    private static final int KEYS = 200;
    /** Limits the rate of all shards together, so that the replica can follow on a machine with two processors. */
    private static final long PAUSE_NANOS = 4_000_000;

    private final List<MysqlServer> shards;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong committed = new AtomicLong();
    private volatile boolean ends;
    private volatile Throwable failure;

    ChangingTable(List<MysqlServer> shards) {
        this.shards = shards;
    }

    void prepare() throws SQLException {
        for (int shard = 0; shard < shards.size(); shard++) {
            MysqlServer server = shards.get(shard);
            server.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.items (id INT PRIMARY KEY, u INT, name VARCHAR(40) NOT NULL, price DECIMAL(8,2),"
                            + " twice DECIMAL(9,2) AS (price * 2) VIRTUAL, UNIQUE KEY (u))",
                    "CREATE TABLE shop.log (at DATETIME(6), what VARCHAR(40))",
                    "CREATE TABLE shop.still (id INT PRIMARY KEY, v INT)",
                    "INSERT INTO shop.still VALUES (@@server_id, 1)",
                    "CREATE TABLE shop.parents (id INT PRIMARY KEY)",
                    "CREATE TABLE shop.children (id INT PRIMARY KEY, parent INT NOT NULL, FOREIGN KEY (parent) REFERENCES"
                            + " parents (id) ON DELETE CASCADE)",
                    "CREATE TABLE shop.`odd ``name` (`select` VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, `key b` INT, v JSON,"
                            + " PRIMARY KEY (`select`, `key b`))");
            int base = shard * 1_000_000;
            for (int i = 0; i < KEYS; i++) {
                int id = base + i;
                server.execute(
                        "INSERT INTO shop.items (id, u, name, price) VALUES (" + id + ", " + id + ", 'n" + i + "', " + i
                                + ")",
                        "INSERT INTO shop.log VALUES (NOW(6), 'start'), (NULL, 'start')",
                        "INSERT INTO shop.parents VALUES (" + id + ")",
                        "INSERT INTO shop.children VALUES (" + id + ", " + id + ")",
                        "INSERT INTO shop.`odd ``name` VALUES ('k" + i + "', " + id + ", '{\"a\": " + i + "}')");
            }
        }
    }

    void start() {
        for (int shard = 0; shard < shards.size(); shard++) {
            int number = shard;
            Thread thread = new Thread(() -> run(number), "changing-table-" + shard);
            threads.add(thread);
            thread.start();
        }
    }

    /** The number of committed transactions. Fails if the load has failed. */
    long committed() {
        requireNoFailure();
        return committed.get();
    }

    private void run(int shard) {
        Random random = new Random(shard);
        try (Sql sql = shards.get(shard).sql()) {
            while (!ends) {
                for (String statement : statements(random, shard * 1_000_000)) {
                    sql.execute(statement);
                }
                committed.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS * shards.size());
            }
        } catch (SQLException | RuntimeException e) {
            failure = e;
        }
    }

    private static List<String> statements(Random random, int base) {
        int a = base + random.nextInt(KEYS);
        int b = base + random.nextInt(KEYS);
        return switch (random.nextInt(8)) {
            case 0 -> List.of("UPDATE shop.items SET price = price + 1 WHERE id = " + a);
            case 1 ->
                List.of(
                        "BEGIN",
                        "UPDATE IGNORE shop.items SET id = id + 500000 WHERE id = " + a,
                        "UPDATE IGNORE shop.items SET id = id - 500000 WHERE id = " + (b + 500_000),
                        "COMMIT");
            case 2 ->
                List.of(
                        "BEGIN",
                        "UPDATE IGNORE shop.items SET u = -u WHERE id IN (" + a + ", " + b + ")",
                        "UPDATE IGNORE shop.items SET u = " + a + " WHERE id = " + b,
                        "COMMIT");
            case 3 -> List.of("DELETE FROM shop.items WHERE id = " + a);
            case 4 -> List.of("INSERT IGNORE INTO shop.items (id, u, name) VALUES (" + a + ", " + b + ", 'again')");
            case 5 ->
                List.of(
                        "INSERT INTO shop.log (at, what) VALUES (NOW(6), 'w" + a + "')",
                        "DELETE FROM shop.log WHERE what = 'w" + b + "' LIMIT 1");
            case 6 ->
                List.of(
                        "DELETE FROM shop.parents WHERE id = " + a,
                        "INSERT IGNORE INTO shop.parents VALUES (" + a + "), (" + b + ")",
                        "INSERT IGNORE INTO shop.children (id, parent) VALUES (" + a + ", " + a + "), (" + b + ", " + b
                                + ")");
            default ->
                List.of("UPDATE IGNORE shop.`odd ``name` SET `select` = CONCAT('K', " + random.nextInt(KEYS)
                        + "), v = JSON_SET(v," + " '$.b', " + a + ") WHERE `key b` = " + a);
        };
    }

    void stop() throws InterruptedException {
        ends = true;
        for (Thread thread : threads) {
            thread.join();
        }
        requireNoFailure();
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new AssertionError("the load failed", failure);
        }
    }

    @Override
    public void close() {
        ends = true;
    }
}
