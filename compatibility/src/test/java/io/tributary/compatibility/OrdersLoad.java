package io.tributary.compatibility;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Inserts, updates, moves and deletes rows of one logical table with a text as key, of which each shard has two members. Each id has one member.
 */
final class OrdersLoad {
    static final String TABLE = "shop.orders";
    static final String MEMBERS = "shop_\\d+\\.orders_\\d+";

    private static final int MEMBERS_PER_SHARD = 2;
    private static final int IDS = 2000;
    private static final long PAUSE_NANOS = Duration.ofMillis(8).toNanos();

    private final List<MysqlServer> shards;
    private final Random random;
    private Thread thread;
    private SQLException failure;
    private volatile long written;
    private volatile boolean stops;

    OrdersLoad(List<MysqlServer> shards, long seed) {
        this.shards = shards;
        this.random = new Random(seed);
    }

    /** The members of the table on a shard. */
    List<String> members(MysqlServer shard) {
        int first = shards.indexOf(shard) * MEMBERS_PER_SHARD;
        return IntStream.range(first, first + MEMBERS_PER_SHARD)
                .mapToObj(OrdersLoad::member)
                .toList();
    }

    private static String member(int number) {
        return "shop_" + number + ".orders_" + number;
    }

    private int memberCount() {
        return shards.size() * MEMBERS_PER_SHARD;
    }

    /** Half of the ids have a row at first. */
    void prepare() throws SQLException {
        for (int number = 0; number < memberCount(); number++) {
            MysqlServer shard = shards.get(number / MEMBERS_PER_SHARD);
            shard.execute(
                    "CREATE DATABASE IF NOT EXISTS shop",
                    "CREATE DATABASE shop_" + number,
                    "CREATE TABLE " + member(number)
                            + " (id VARCHAR(20) PRIMARY KEY, v BIGINT NOT NULL, note VARCHAR(60))");
            StringJoiner rows = new StringJoiner(", ", "INSERT INTO " + member(number) + " VALUES ", "");
            for (int id = number; id < IDS; id += 2 * memberCount()) {
                rows.add("(" + name(id) + ", 0, NULL)");
            }
            shard.execute(rows.toString());
        }
    }

    private static String name(int id) {
        return String.format("'o%06d'", id);
    }

    void start() {
        stops = false;
        thread = new Thread(this::run, "orders");
        thread.setDaemon(true);
        thread.start();
    }

    /** The number of statements since it was made. */
    long written() {
        return written;
    }

    /** Ends the writer; fails with its failure. */
    void stop() {
        stops = true;
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    private void run() {
        long total = written;
        try (Sql first = shards.get(0).sql();
                Sql second = shards.get(1).sql()) {
            for (long value = 1; !stops; value++) {
                int id = random.nextInt(IDS);
                int number = id % memberCount();
                (number < MEMBERS_PER_SHARD ? first : second).execute(statement(id, number, value));
                written = total + value;
                LockSupport.parkNanos(PAUSE_NANOS); // the rate of the load
            }
        } catch (SQLException e) {
            failure = e;
        }
    }

    private String statement(int id, int number, long value) {
        int other = random.nextInt(IDS / memberCount()) * memberCount() + number;
        return switch (random.nextInt(4)) {
            case 0 -> "DELETE FROM " + member(number) + " WHERE id = " + name(id);
            case 1 ->
                "UPDATE IGNORE " + member(number) + " SET id = " + name(other) + ", v = " + value + " WHERE id = "
                        + name(id);
            default ->
                "INSERT INTO " + member(number) + " VALUES (" + name(id) + ", " + value + ", 'first')"
                        + " ON DUPLICATE KEY UPDATE v = " + value + ", note = 'n" + value + "'";
        };
    }
}
