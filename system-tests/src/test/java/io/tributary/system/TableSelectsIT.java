package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.GtidEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.UpdateRowsEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.XidEventData;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reader that copies a table by chunks, as Flink CDC does, while the shards change: the position before each chunk, the chunk, the position
 * after it. The chunk and the events between the two positions give the rows of the second position exactly.
 */
@Timeout(300)
class TableSelectsIT {
    private static final int IDS = 240;
    private static final int CHUNK = 20;
    private static final int ROUNDS = 4;
    private static final long SEED = 20261126;

    private final List<Change> changes = new CopyOnWriteArrayList<>();
    private final List<Change> transaction = new ArrayList<>();
    private long gno;
    private volatile long read;
    private volatile boolean stops;

    /**
     * A change of a row in the binlog.
     *
     * @param before its id before the change, -1 for an insert
     * @param after its id afterwards, -1 for a delete
     */
    private record Change(long gno, int before, int after, long value) {
        void apply(Map<Integer, Long> rows, int from, int to) {
            if (before >= from && before < to) {
                rows.remove(before);
            }
            if (after >= from && after < to) {
                rows.put(after, value);
            }
        }
    }

    /** A chunk that was copied. */
    private record Copied(int from, int to, long low, Map<Integer, Long> rows, long high) {}

    @Test
    void chunksUnderLoadAreExactAtThePositionAfterThem(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("serve.select", "true")
                        .set("table.map.shop.from", "shop_\\d+\\.orders_\\d+")
                        .set("table.map.shop.to", "shop.orders"))) {
            for (int i = 0; i < 4; i++) {
                cluster.shards()
                        .get(i / 2)
                        .execute(
                                "CREATE DATABASE shop_" + i,
                                "CREATE TABLE shop_" + i + ".orders_" + i + " (id INT PRIMARY KEY, v BIGINT)");
            }
            cluster.node().start();
            BinaryLogClient binlog = binlog(cluster.servePort());
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> load(cluster.shards()));
            try (Connection connection = connect(cluster.servePort())) {
                List<Copied> copied = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    for (int from = 0; from < IDS; from += CHUNK) {
                        copied.add(copy(connection, from, from + CHUNK));
                    }
                }
                stops = true;
                load.get(1, TimeUnit.MINUTES);
                cluster.awaitAllWritten(Invariants.LIMIT);
                long end = position(connection);
                Await.until("the reader of the binlog", Invariants.LIMIT, () -> read >= end);
                assertTrue(changes.size() > 500, "changes: " + changes.size());
                copied.forEach(this::check);
            } finally {
                stops = true;
                binlog.disconnect();
            }
        }
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/shop?allowPublicKeyRetrieval=true&sslMode=DISABLED",
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }

    private static Copied copy(Connection connection, int from, int to) throws SQLException {
        long low = position(connection);
        Map<Integer, Long> rows = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT * FROM `shop`.`orders` WHERE `id` >= " + from + " AND `id` < " + to)) {
            while (result.next()) {
                assertEquals(null, rows.put(result.getInt(1), result.getLong(2)), "an id twice");
            }
        }
        return new Copied(from, to, low, rows, position(connection));
    }

    /** The number of the newest transaction before the position. */
    private static long position(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW MASTER STATUS")) {
            assertTrue(result.next());
            String gtids = result.getString("Executed_Gtid_Set");
            return gtids.isEmpty() ? 0 : Long.parseLong(gtids.replaceAll(".*[-:]", ""));
        }
    }

    private void check(Copied chunk) {
        Map<Integer, Long> copied = new TreeMap<>(chunk.rows());
        Map<Integer, Long> replayed = new TreeMap<>();
        for (Change change : changes) {
            if (change.gno() <= chunk.high()) {
                change.apply(replayed, chunk.from(), chunk.to());
            }
            if (change.gno() > chunk.low() && change.gno() <= chunk.high()) {
                change.apply(copied, chunk.from(), chunk.to());
            }
        }
        assertEquals(
                replayed, copied, "chunk from " + chunk.from() + ", positions " + chunk.low() + " to " + chunk.high());
    }

    /** Inserts, updates, moves and deletes rows until it is stopped. Table i has the ids of which the remainder by 4 is i. */
    private void load(List<MysqlServer> shards) {
        Random random = new Random(SEED);
        try (Sql first = shards.get(0).sql();
                Sql second = shards.get(1).sql()) {
            for (long value = 1; !stops; value++) {
                int id = random.nextInt(IDS);
                int i = id % 4;
                int other = random.nextInt(IDS / 4) * 4 + i;
                String table = "shop_" + i + ".orders_" + i;
                String sql = switch (random.nextInt(4)) {
                    case 0 -> "DELETE FROM " + table + " WHERE id = " + id;
                    case 1 -> "UPDATE IGNORE " + table + " SET id = " + other + ", v = " + value + " WHERE id = " + id;
                    default ->
                        "INSERT INTO " + table + " VALUES (" + id + ", " + value + ") ON DUPLICATE KEY UPDATE v = "
                                + value;
                };
                (i < 2 ? first : second).execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private BinaryLogClient binlog(int port) throws IOException, TimeoutException {
        BinaryLogClient client =
                new BinaryLogClient("127.0.0.1", port, LocalCluster.READER.name(), LocalCluster.READER.password());
        client.setServerId(4716);
        client.setSSLMode(SSLMode.DISABLED);
        client.setKeepAlive(false);
        client.setGtidSet("");
        client.registerEventListener(this::accept);
        client.connect(10_000);
        return client;
    }

    private void accept(Event event) {
        EventData data = event.getData();
        if (data instanceof GtidEventData gtid) {
            gno = gtid.getMySqlGtid().getTransactionId();
        } else if (data instanceof WriteRowsEventData rows) {
            rows.getRows().forEach(row -> change(null, row));
        } else if (data instanceof DeleteRowsEventData rows) {
            rows.getRows().forEach(row -> change(row, null));
        } else if (data instanceof UpdateRowsEventData rows) {
            rows.getRows().forEach(row -> change(row.getKey(), row.getValue()));
        } else if (data instanceof XidEventData) {
            changes.addAll(transaction);
            transaction.clear();
            read = gno;
        } else if (data instanceof TableMapEventData map) {
            assertEquals("shop.orders", map.getDatabase() + "." + map.getTable());
        }
    }

    private void change(Serializable[] before, Serializable[] after) {
        transaction.add(new Change(
                gno,
                before == null ? -1 : (Integer) before[0],
                after == null ? -1 : (Integer) after[0],
                after == null ? 0 : (Long) after[1]));
    }
}
