package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.RowConsumer;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SELECTs on tables with the statements of Debezium and Flink CDC, over Connector/J, with members on two real shards. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class TableSelectsTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int BIG_ROWS = 8_000;

    private ShardedTables tables;
    private MysqlServer s1;
    private MysqlServer s2;

    /** Rows 1 to 99: id modulo 3 is the member; the third one is on the second shard. */
    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        tables = new ShardedTables(
                folder, "serve.select = true", "serve.select.timeout = 20s", "serve.select.stall = 3s");
        s1 = tables.shards.get(0);
        s2 = tables.shards.get(1);
        for (MysqlServer shard : tables.shards) {
            shard.execute("CREATE DATABASE shop", "CREATE DATABASE tributary", "CREATE TABLE tributary.secret (a INT)");
        }
        for (int member = 0; member < 3; member++) {
            MysqlServer shard = member < 2 ? s1 : s2;
            shard.execute("CREATE TABLE shop.orders_" + member + " (id BIGINT UNSIGNED PRIMARY KEY, name VARCHAR(40),"
                    + " price DECIMAL(10,2), at TIMESTAMP NULL, code VARBINARY(10), d DATE)");
            for (int id = 1; id < 100; id++) {
                if (id % 3 == member) {
                    shard.execute("INSERT INTO shop.orders_" + member + " VALUES (" + id + ", 'näme " + id + "', " + id
                            + ".25, '2026-01-02 03:04:05', x'ff00" + Integer.toHexString(id + 16) + "', '2026-11-26')");
                }
            }
        }
        s1.execute(
                "CREATE TABLE shop.single (k VARCHAR(20) PRIMARY KEY, v INT)",
                "INSERT INTO shop.single VALUES ('b', 1), ('a', 2), ('c', 3)");
        for (MysqlServer shard : tables.shards) {
            shard.execute(
                    "SET SESSION cte_max_recursion_depth = 100000",
                    "CREATE TABLE shop.big_1 (id INT PRIMARY KEY, pad VARCHAR(2000))",
                    "CREATE TABLE shop.names_1 (k VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci PRIMARY KEY,"
                            + " p VARCHAR(10) CHARACTER SET latin1, e ENUM ('z', 'a'), UNIQUE (p))",
                    shard == s1
                            ? "INSERT INTO shop.names_1 VALUES ('Ärger', 'a', 'z'), ('zebra', 'a\\tb', 'a'), ('b', 'C', 'a')"
                            : "INSERT INTO shop.names_1 VALUES ('apfel', 'A b', 'z'), ('Zaun', 'b', 'a'), ('c', NULL, 'z')",
                    "CREATE TABLE shop.uneven_1 (a INT PRIMARY KEY" + (shard == s1 ? ", b INT)" : ")"),
                    "INSERT INTO shop.uneven_1 (a) VALUES (1)");
            try (Connection connection = shard.connection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET SESSION cte_max_recursion_depth = 100000");
                statement.execute(
                        "INSERT INTO shop.big_1 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                                + " WHERE i < " + BIG_ROWS + ") SELECT i, REPEAT('x', 2000) FROM n");
            }
        }
        UserEntry some = new UserEntry(
                "some",
                new LoginMethods(Optional.of(Passwords.salted("secret")), Optional.empty(), Optional.empty()),
                new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0),
                TableFilter.parse("shop.single"));
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put("some", some);
            return users;
        });
        tables.cut();
    }

    @AfterAll
    void end() {
        if (tables != null) {
            tables.close();
        }
    }

    private static List<String> column(ResultSet rows) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(1));
        }
        return values;
    }

    private List<String> ask(String sql, Object... values) throws SQLException {
        try (Connection connection = tables.jdbc("reader", "")) {
            return ask(connection, sql, values);
        }
    }

    private static List<String> ask(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return column(rows);
            }
        }
    }

    private int refused(String sql) throws SQLException {
        try (Connection connection = tables.jdbc("reader", "")) {
            return assertThrows(SQLException.class, () -> ask(connection, sql), sql)
                    .getErrorCode();
        }
    }

    private static List<String> numbers(int from, int to) {
        List<String> numbers = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    /** Connector/J refuses packets above max_allowed_packet. */
    @Test
    void rowsLongerThanTheLongestStatementArrive() throws Exception {
        s1.execute(
                "CREATE TABLE shop.long (id INT PRIMARY KEY, body LONGTEXT)",
                "INSERT INTO shop.long VALUES (1, REPEAT('x', 3 << 20))");

        assertEquals(3 << 20, ask("SELECT body FROM shop.long").get(0).length());
        assertEquals(List.of("16777216"), ask("SELECT @@max_allowed_packet"));
    }

    @Test
    void allRowsOfAllMembersOnceWithTheirTypes() throws Exception {
        List<String> ids = ask("SELECT `id`, `name`, `price`, `at`, `code`, `d` FROM `shop`.`orders`");
        assertEquals(99, ids.size());
        assertEquals(Set.copyOf(numbers(1, 99)), Set.copyOf(ids));
        try (Connection connection = tables.jdbc("reader", "");
                Statement statement = connection.createStatement()) {
            statement.setFetchSize(Integer.MIN_VALUE); // as Debezium
            try (ResultSet row = statement.executeQuery("SELECT * FROM orders WHERE id = 47;")) {
                assertTrue(row.next());
                assertEquals("BIGINT UNSIGNED", row.getMetaData().getColumnTypeName(1));
                assertEquals("näme 47", row.getString("name"));
                assertEquals("47.25", row.getBigDecimal("price").toString());
                assertEquals("2026-01-02 03:04:05.0", row.getTimestamp("at").toString());
                assertEquals((byte) 0xff, row.getBytes("code")[0]);
                assertEquals("2026-11-26", row.getDate("d").toString());
                assertFalse(row.next());
            }
            statement.execute("SET time_zone = '+08:00'");
            try (ResultSet row =
                    statement.executeQuery("SELECT `at` FROM orders WHERE at = '2026-01-02 11:04:05' LIMIT 1")) {
                assertTrue(row.next());
                assertEquals(
                        "2026-01-02 11:04:05", new String(row.getBytes(1), java.nio.charset.StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void theChunksOfFlinkCdcAreThoseOfOneServer() throws Exception {
        assertEquals(List.of("1"), ask("SELECT MIN(`id`), MAX(`id`) FROM `shop`.`orders`"));
        assertEquals(List.of("99"), ask("SELECT MAX(`id`) FROM `shop`.`orders`"));
        assertEquals(List.of("49"), ask("SELECT COUNT(1) FROM `shop`.`orders` WHERE (id > 50)"));
        assertEquals(List.of("51"), ask("SELECT MIN(`id`) FROM `shop`.`orders` WHERE `id` > ?", 50L));
        String next =
                "SELECT MAX(`id`) FROM (SELECT `id` FROM `shop`.`orders` WHERE `id` >= ? ORDER BY `id` ASC LIMIT 10"
                        + ") AS T";
        List<String> read = new ArrayList<>();
        long from = 1;
        while (true) {
            long to = Long.parseLong(ask(next, from).get(0));
            assertEquals(Math.min(99, from + 9), to);
            if (to == 99) {
                read.addAll(ask("SELECT * FROM `shop`.`orders` WHERE `id` >= ?", from));
                break;
            }
            read.addAll(ask(
                    "SELECT * FROM `shop`.`orders` WHERE `id` >= ? AND NOT (`id` = ?) AND `id` <= ?", from, to, to));
            from = to;
        }
        assertEquals(99, read.size());
        assertEquals(Set.copyOf(numbers(1, 99)), Set.copyOf(read));
        assertEquals(java.util.Collections.singletonList(null), ask("SELECT MAX(`id`) FROM orders WHERE id > 1000"));
        assertEquals(java.util.Collections.singletonList(null), ask(next, 1000L));
    }

    @Test
    void orderedRowsOfSeveralMembersAreMerged() throws Exception {
        String debezium = "SELECT * FROM `shop`.`orders` WHERE (`id` > ?) AND (`id` <= ?) ORDER BY `id` LIMIT 7";
        assertEquals(numbers(21, 27), ask(debezium, 20, 99));
        assertEquals(List.of("99", "98", "97"), ask("SELECT `id` FROM orders ORDER BY `id` DESC LIMIT 3"));
        assertEquals(numbers(1, 99), ask("SELECT id, d FROM orders ORDER BY d, id"));
        assertEquals(List.of(), ask("SELECT id FROM orders ORDER BY id LIMIT 0"));
        assertEquals(5, ask("SELECT id FROM orders LIMIT 5").size());
        assertEquals(List.of("a", "b"), ask("SELECT k FROM single ORDER BY k LIMIT 2"));
        assertEquals(List.of("c"), ask("SELECT MAX(k) FROM (SELECT k FROM single ORDER BY k LIMIT 3) AS T"));
    }

    @Test
    void textsOfSeveralMembersAreComparedByTheirCollation() throws Exception {
        List<String> sorted = List.of("apfel", "Ärger", "b", "c", "Zaun", "zebra");
        assertEquals(sorted, ask("SELECT k FROM names ORDER BY k"));
        assertEquals(sorted.subList(0, 4), ask("SELECT * FROM names ORDER BY k LIMIT 4"));
        assertEquals(List.of("zebra", "Zaun"), ask("SELECT k, p FROM names ORDER BY k DESC LIMIT 2"));
        assertEquals(List.of("apfel"), ask("SELECT MIN(k), MAX(k), COUNT(*) FROM names"));
        assertEquals(List.of("zebra"), ask("SELECT MAX(k), MIN(p) FROM names"));
        assertEquals(List.of("a\tb"), ask("SELECT MIN(p) FROM names"));
        assertEquals(
                List.of("c"),
                ask("SELECT MAX(`k`) FROM (SELECT `k` FROM names WHERE `k` >= 'b' ORDER BY `k` ASC LIMIT 2) AS T"));
        List<String> padded = ask("SELECT p FROM names WHERE p IS NOT NULL ORDER BY p");
        assertEquals(List.of("a\tb", "a", "A b", "b", "C"), padded);
        try (Connection connection = tables.jdbc("reader", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM names ORDER BY p LIMIT 1")) {
            assertEquals(3, rows.getMetaData().getColumnCount());
            assertTrue(rows.next());
            assertEquals("c", rows.getString(1));
            assertEquals(null, rows.getString(2));
        }
    }

    @Test
    void formsThatAreNotKnownAreRefused() throws Exception {
        for (String sql : List.of(
                "SELECT a.id FROM orders a JOIN orders b",
                "SELECT id FROM orders, single",
                "SELECT id FROM orders WHERE id IN (SELECT v FROM single)",
                "SELECT id, COUNT(*) FROM orders GROUP BY id",
                "SELECT id FROM orders WHERE id > 1 GROUP BY id",
                "SELECT id FROM orders WHERE 1 UNION SELECT v FROM single",
                "SELECT DISTINCT name FROM orders",
                "SELECT id + 1 FROM orders",
                "SELECT id AS a FROM orders",
                "SELECT SUM(id) FROM orders",
                "SELECT MAX(id) FROM (SELECT id FROM orders) AS T",
                "SELECT MAX(name) FROM (SELECT id FROM orders ORDER BY id LIMIT 1) AS T",
                "SELECT id FROM orders WHERE SLEEP(9)",
                "SELECT id FROM orders WHERE id = @a",
                "SELECT id FROM orders FOR UPDATE",
                "SELECT id INTO OUTFILE '/tmp/x' FROM orders",
                "SELECT id FROM orders LIMIT 1, 2",
                "SELECT MIN(id) FROM orders LIMIT 1",
                "SELECT MIN(e) FROM names",
                "SELECT e FROM names ORDER BY e LIMIT 1",
                "SELECT id FROM orders WHERE",
                "SELECT id FROM orders WHERE name = DATABASE()",
                "SELECT id FROM orders WHERE name <> CURRENT_USER",
                "SELECT id FROM orders ORDER BY MAX(id)")) {
            int error = refused(sql);
            assertTrue(error == 1235 || error == 1064, sql + ": " + error);
        }
        assertEquals(1235, refused("SELECT id FROM orders ORDER BY name LIMIT 3"));
        assertEquals(1054, refused("SELECT nothing FROM orders"));
        assertEquals(1105, refused("SELECT * FROM uneven"));
        assertEquals(1146, refused("SELECT * FROM absent"));
        assertEquals(1146, refused("SELECT * FROM tributary.absent"));
        assertEquals(1146, refused("SELECT * FROM mysql.user"));
        try (Connection connection = tables.jdbc("reader", "&useServerPrepStmts=true")) {
            assertEquals(
                    1235,
                    assertThrows(SQLException.class, () -> ask(connection, "SELECT * FROM orders"))
                            .getErrorCode());
        }
    }

    @Test
    void aUserReadsItsTablesOnly() throws Exception {
        try (Connection connection = tables.jdbc("some", "")) {
            assertEquals(3, ask(connection, "SELECT * FROM single").size());
            // the last one is no question about the position, which would wait for what was read
            for (String table : List.of("orders", "absent", "orders WHERE name = 'show master'")) {
                assertEquals(
                        1142,
                        assertThrows(SQLException.class, () -> ask(connection, "SELECT * FROM " + table))
                                .getErrorCode());
            }
        }
    }

    /** The copy of a table that an online schema change tool leaves behind has rows of a table that the user may not read. */
    @Test
    void tablesThatTheBinlogLeavesOutAreNotRead() throws Exception {
        s1.execute("CREATE TABLE shop._secret_del (id INT PRIMARY KEY)", "INSERT INTO shop._secret_del VALUES (1)");
        try (Connection connection = tables.jdbc("reader", "")) {
            for (String table : List.of("_secret_del", "mysql.user")) {
                assertEquals(
                        1146,
                        assertThrows(SQLException.class, () -> ask(connection, "SELECT * FROM " + table))
                                .getErrorCode(),
                        table);
            }
        }
    }

    @Test
    void thePositionAfterASelectContainsWhatItHasSeen() throws Exception {
        try (Connection connection = tables.jdbc("reader", "")) {
            s2.execute("CREATE TABLE shop.fresh_1 (id INT PRIMARY KEY)", "INSERT INTO shop.fresh_1 VALUES (1)");
            assertEquals(List.of("1"), ask(connection, "SELECT * FROM fresh"));
            CompletableFuture<List<String>> position = CompletableFuture.supplyAsync(() -> {
                try {
                    return ask(connection, "SHOW MASTER STATUS");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (Connection other = tables.jdbc("reader", "")) {
                assertEquals(1, ask(other, "SHOW MASTER STATUS").size(), "only its own session waits");
            }
            assertFalse(position.isDone());
            tables.cut();
            assertEquals(1, position.get(30, TimeUnit.SECONDS).size());
            assertEquals(1, ask(connection, "SELECT @@global.gtid_executed").size());
        }
    }

    @Test
    void aSelectWaitsUntilTheShardShowsWhatIsInTheBinlog() throws Exception {
        s1.execute("CREATE TABLE shop.late_1 (id INT PRIMARY KEY)");
        GtidSet executed = GtidSet.parse(s1.gtidExecuted());
        long next = executed.last(executed.sids().get(0)) + 1;
        tables.cut(executed.plus(executed.sids().get(0), next).line(), s2.gtidExecuted());
        CompletableFuture<List<String>> rows = CompletableFuture.supplyAsync(() -> {
            try {
                return ask("SELECT * FROM late");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until(
                "the SELECT waits on the shard",
                LIMIT,
                () -> !s1.text(
                                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE HOST LIKE '127.0.0.1%' AND COMMAND <> 'Daemon'")
                        .equals("0"));
        assertFalse(rows.isDone());
        s1.execute("INSERT INTO shop.late_1 VALUES (7)");
        assertEquals(List.of("7"), rows.get(30, TimeUnit.SECONDS));
    }

    /** A client that counts rows, and can stop to read. */
    private static final class Counter implements RowConsumer {
        private final AtomicLong rows = new AtomicLong();
        private volatile Runnable first = () -> {};
        private volatile long mostMemory;

        @Override
        public void columns(List<String> names, List<ResultColumnType> types) {
            first.run();
        }

        @Override
        public void row(ByteBuf packet) {
            rows.incrementAndGet();
            mostMemory = Math.max(mostMemory, direct());
        }
    }

    private static long direct() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    private static final String CONNECTIONS =
            " FROM information_schema.PROCESSLIST WHERE USER = 'root' AND COMMAND <> 'Daemon' AND ID <> CONNECTION_ID()";

    /** Whether the second shard, which is read last, has a connection of the node. */
    private boolean isConnected() throws SQLException {
        return Long.parseLong(s2.text("SELECT COUNT(*)" + CONNECTIONS)) > 0;
    }

    /** A SELECT of a client that reads only the columns, on all shards. */
    private CompletableFuture<QueryResult> stalled(MysqlConnection connection, Counter counter) {
        counter.first = () -> connection.pause(true);
        CompletableFuture<QueryResult> done = connection.stream("SELECT * FROM shop.big", counter);
        Await.until("rows arrive and the shards are connected", LIMIT, () -> counter.rows.get() > 0 && isConnected());
        return done;
    }

    @Test
    void aClientThatReadsSlowlyHoldsNoMemory() throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            long before = direct();
            Counter counter = new Counter();
            CompletableFuture<QueryResult> done = stalled(connection, counter);
            assertFalse(done.isDone());
            connection.pause(false);
            done.get(60, TimeUnit.SECONDS);
            assertEquals(2 * BIG_ROWS, counter.rows.get());
            assertTrue(counter.mostMemory - before < 20 << 20, "memory: " + (counter.mostMemory - before));
        }
    }

    @Test
    void aClientThatReadsNothingForTooLongIsDisconnectedAndFreesTheShards() throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            Counter counter = new Counter();
            CompletableFuture<QueryResult> done = stalled(connection, counter);
            Await.until("the shard is free", LIMIT, () -> !isConnected());
            connection.pause(false);
            assertThrows(ExecutionException.class, () -> done.get(30, TimeUnit.SECONDS));
            assertTrue(counter.rows.get() < 2 * BIG_ROWS);
        }
    }

    @Test
    void aMemberThatFailsInTheMiddleIsAnErrorAndNoEnd() throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            Counter counter = new Counter();
            CompletableFuture<QueryResult> done = stalled(connection, counter);
            s2.execute("KILL " + s2.text("SELECT MAX(ID)" + CONNECTIONS));
            connection.pause(false);
            ExecutionException failed = assertThrows(ExecutionException.class, () -> done.get(60, TimeUnit.SECONDS));
            assertEquals(1429, ((MysqlServerError) failed.getCause()).errorCode(), failed.getMessage());
            assertTrue(counter.rows.get() > 0);
            assertEquals(
                    "1", connection.query("SELECT 1").get(20, TimeUnit.SECONDS).text(0, "1"));
        }
    }

    @Test
    void aSelectCanBeKilledAndMoreOfThemThanMayRunWait() throws Exception {
        List<MysqlConnection> connections = new ArrayList<>();
        List<CompletableFuture<QueryResult>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            connections.add(tables.connect());
            answers.add(connections.get(i).stream("SELECT id FROM shop.big", new Counter()));
        }
        for (CompletableFuture<QueryResult> answer : answers) {
            answer.get(60, TimeUnit.SECONDS);
        }
        CompletableFuture<QueryResult> killed = stalled(connections.get(0), new Counter());
        connections.get(1).query("KILL QUERY " + connections.get(0).threadId()).get(20, TimeUnit.SECONDS);
        connections.get(0).pause(false);
        ExecutionException failed = assertThrows(ExecutionException.class, () -> killed.get(30, TimeUnit.SECONDS));
        assertEquals(1317, ((MysqlServerError) failed.getCause()).errorCode());
        connections.forEach(MysqlConnection::close);
    }
}
