package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
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
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits of SELECTs on tables: memory, time, number, and what a client cannot do to the shards. With members on two real shards. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class SelectLimitsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MEBI = 1 << 20;
    private static final int MEMORY = 8 * MEBI;
    private static final int BLOBS = 6;

    /** Takes minutes on a shard, and sends no row. */
    private static final String SLOW = "SELECT COUNT(*) FROM shop.big WHERE pad LIKE '%x%x%y'";

    private ShardedTables tables;
    private MysqlServer s1;
    private MysqlServer s2;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        tables = new ShardedTables(
                folder,
                "serve.select = true",
                "serve.select.timeout = 10s",
                "serve.select.running = 4",
                "serve.select.user-running = 3",
                "serve.login-timeout = 2min",
                "serve.memory = 8MiB");
        s1 = tables.shards.get(0);
        s2 = tables.shards.get(1);
        for (MysqlServer shard : tables.shards) {
            String n = shard == s1 ? "1" : "2";
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.blobs_" + n + " (id INT PRIMARY KEY, b LONGBLOB)",
                    "CREATE TABLE shop.big_" + n + " (id INT PRIMARY KEY, pad VARCHAR(2000))",
                    "CREATE TABLE shop.typed_" + n + " (id INT PRIMARY KEY, same INT, v "
                            + (shard == s1 ? "INT" : "VARCHAR(10)") + ", c VARCHAR(10) COLLATE "
                            + (shard == s1 ? "utf8mb4_bin" : "utf8mb4_0900_ai_ci") + ")",
                    "INSERT INTO shop.typed_" + n + " VALUES (" + n + ", 7, 8, 'a')");
            try (Connection connection = shard.connection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET SESSION cte_max_recursion_depth = 100000");
                statement.execute("INSERT INTO shop.big_" + n
                        + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)"
                        + " SELECT i * 2 + " + n + ", REPEAT('x', 2000) FROM n");
                statement.execute("INSERT INTO shop.blobs_" + n
                        + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + BLOBS + ")"
                        + " SELECT i * 2 + " + n + ", REPEAT('b', 1048576) FROM n");
            }
        }
        s1.execute(
                "CREATE TABLE shop.single (k VARCHAR(20) PRIMARY KEY, v INT)",
                "INSERT INTO shop.single VALUES ('b', 1), ('a', 2), ('c', 3)",
                "CREATE TABLE shop.huge (id INT PRIMARY KEY, b LONGBLOB)",
                "INSERT INTO shop.huge VALUES (1, REPEAT('h', 5242880))");
        UserEntry other = new UserEntry(
                "other",
                new LoginMethods(Optional.of(Passwords.salted("secret")), Optional.empty(), Optional.empty()),
                new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0),
                TableFilter.ALL);
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put("other", other);
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

    /** A client that counts rows, and reads nothing after the columns until it is released. */
    private static final class Counter implements RowConsumer {
        private final AtomicLong rows = new AtomicLong();
        private final MysqlConnection connection;
        private boolean isReleased; // guarded by this

        Counter(MysqlConnection connection) {
            this.connection = connection;
        }

        @Override
        public synchronized void columns(List<String> names, List<ResultColumnType> types) {
            connection.pause(!isReleased);
        }

        synchronized void release() {
            isReleased = true;
            connection.pause(false);
        }

        @Override
        public void row(ByteBuf packet) {
            rows.incrementAndGet();
        }
    }

    private static int error(CompletableFuture<?> answer) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> answer.get(120, TimeUnit.SECONDS));
        assertTrue(failed.getCause() instanceof MysqlServerError, String.valueOf(failed.getCause()));
        return ((MysqlServerError) failed.getCause()).errorCode();
    }

    private List<String> ask(String sql) throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            return connection.query(sql).get(60, TimeUnit.SECONDS).rows().stream()
                    .map(row -> row.text(0))
                    .toList();
        }
    }

    private int refused(String sql) throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            return error(connection.query(sql));
        }
    }

    private static String running(MysqlServer shard) throws SQLException {
        return shard.text("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%shop%LIKE%'"
                + " AND ID <> CONNECTION_ID()");
    }

    /** Whether a shard executes the slow statement. */
    private boolean isSlow() throws SQLException {
        return !running(s1).equals("0") || !running(s2).equals("0");
    }

    /** Locks the large table on the shards: a statement that reads it runs until it is ended, or for 10 seconds. */
    private final class Locked implements AutoCloseable {
        private final List<Connection> sessions = new ArrayList<>();

        Locked() throws SQLException {
            for (MysqlServer shard : tables.shards) {
                Connection session = shard.connection();
                sessions.add(session);
                try (Statement statement = session.createStatement()) {
                    statement.execute("LOCK TABLES shop.big_" + sessions.size() + " WRITE");
                }
            }
        }

        @Override
        public void close() throws SQLException {
            for (Connection session : sessions) {
                session.close();
            }
        }
    }

    // ---- memory

    @Test
    void rowsOfSlowReadersAreCountedAndLongOnesWaitForMemory() throws Exception {
        Await.until("nothing is held", LIMIT, () -> tables.memory() == 0);
        List<MysqlConnection> connections = new ArrayList<>();
        List<Counter> counters = new ArrayList<>();
        List<CompletableFuture<QueryResult>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MysqlConnection connection = tables.connect();
            Counter counter = new Counter(connection);
            connections.add(connection);
            counters.add(counter);
            answers.add(connection.stream("SELECT * FROM shop.blobs", counter));
        }
        Await.until("rows are held", LIMIT, () -> tables.memory() > 3 * MEBI);
        for (int i = 0; i < 3; i++) {
            assertTrue(tables.memory() <= MEMORY, "memory: " + tables.memory());
            counters.get(i).release();
        }
        int complete = 0;
        for (int i = 0; i < 3; i++) {
            try {
                answers.get(i).get(120, TimeUnit.SECONDS);
                assertEquals(2 * BLOBS, counters.get(i).rows.get());
                complete++;
            } catch (ExecutionException e) {
                assertEquals(3170, ((MysqlServerError) e.getCause()).errorCode(), e.getMessage());
            } catch (TimeoutException e) {
                throw new IllegalStateException(
                        "rows: " + counters.get(i).rows.get() + ", memory: " + tables.memory(), e);
            }
        }
        assertTrue(complete > 0, "all were refused");
        connections.forEach(MysqlConnection::close);
        Await.until("nothing is held", LIMIT, () -> tables.memory() == 0);
    }

    @Test
    void aRowThatNeverFitsIsMysqlsErrorAndHoldsNothing() throws Exception {
        assertEquals(3170, refused("SELECT * FROM shop.huge"));
        assertEquals(List.of("1"), ask("SELECT id FROM shop.huge"));
        Await.until("nothing is held", LIMIT, () -> tables.memory() == 0);
    }

    // ---- the end of a SELECT is its end on the shards

    @Test
    @SuppressWarnings("try") // the locks are only held
    void killQueryEndsTheStatementOnTheShards() throws Exception {
        try (Locked unused = new Locked();
                MysqlConnection connection = tables.connect();
                MysqlConnection admin = tables.connect()) {
            CompletableFuture<QueryResult> answer = connection.query(SLOW);
            Await.until("a shard executes it", LIMIT, this::isSlow);
            admin.query("KILL QUERY " + connection.threadId()).get(60, TimeUnit.SECONDS);
            assertEquals(1317, error(answer));
            Await.until("no shard executes it", Duration.ofSeconds(40), () -> !isSlow());
        }
    }

    @Test
    @SuppressWarnings("try") // the locks are only held
    void aClientThatDisconnectsEndsTheStatementOnTheShards() throws Exception {
        try (Locked unusedLocks = new Locked()) {
            try (MysqlConnection connection = tables.connect()) {
                var unused = connection.query(SLOW);
                Await.until("a shard executes it", LIMIT, this::isSlow);
            }
            Await.until("no shard executes it", Duration.ofSeconds(8), () -> !isSlow());
        }
    }

    @Test
    @SuppressWarnings("try") // the locks are only held
    void theTimeOfTheSessionLimitsTheStatement() throws Exception {
        try (Locked unused = new Locked();
                MysqlConnection connection = tables.connect()) {
            connection.query("SET SESSION max_execution_time = 700").get(60, TimeUnit.SECONDS);
            assertEquals(3024, error(connection.query(SLOW)));
            Await.until("no shard executes it", Duration.ofSeconds(40), () -> !isSlow());
            connection.query("SET SESSION max_execution_time = 0").get(60, TimeUnit.SECONDS);
            assertEquals(
                    "3",
                    connection
                            .query("SELECT COUNT(*) FROM shop.single")
                            .get(60, TimeUnit.SECONDS)
                            .rows()
                            .get(0)
                            .text(0));
        }
    }

    @Test
    void oneUserLeavesRoomForOthers() throws Exception {
        List<MysqlConnection> connections = new ArrayList<>();
        List<CompletableFuture<QueryResult>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            MysqlConnection connection = tables.connect();
            connections.add(connection);
            answers.add(connection.stream("SELECT id, pad FROM shop.big", new Counter(connection)));
        }
        Await.until(
                "two have waited too long for those that read nothing",
                LIMIT,
                () -> late(answers).size() == 2);
        for (CompletableFuture<QueryResult> answer : late(answers)) {
            assertEquals(3024, error(answer));
        }
        try (Connection other = tables.jdbc("other", "");
                Statement statement = other.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM single")) {
            assertTrue(rows.next());
        }
        assertEquals(2, late(answers).size());
        connections.forEach(MysqlConnection::close);
        Await.until("nothing is held", LIMIT, () -> tables.memory() == 0);
    }

    private static List<CompletableFuture<QueryResult>> late(List<CompletableFuture<QueryResult>> answers) {
        return answers.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .toList();
    }

    // ---- what is read

    @Test
    void columnsOfAnotherTypeOrCollationAreRefused() throws Exception {
        assertEquals(1105, refused("SELECT v FROM shop.typed"));
        assertEquals(1105, refused("SELECT * FROM shop.typed"));
        assertEquals(1105, refused("SELECT id FROM shop.typed WHERE c >= 'A'"));
        assertEquals(List.of("7", "7"), ask("SELECT same FROM shop.typed WHERE id < 10 ORDER BY same"));
    }

    @Test
    void settingsOfAShardHideNoRowsAndShowNoUncommittedOnes() throws Exception {
        s1.execute(
                "SET GLOBAL sql_select_limit = 2",
                "SET GLOBAL transaction_isolation = 'READ-UNCOMMITTED'",
                "SET GLOBAL init_connect = 'SET autocommit = 0'");
        try (Connection writer = s1.connection();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO shop.single VALUES ('uncommitted', 4)");
            assertEquals(Set.of("a", "b", "c"), Set.copyOf(ask("SELECT k FROM shop.single")));
            writer.rollback();
        } finally {
            s1.execute(
                    "SET GLOBAL sql_select_limit = DEFAULT",
                    "SET GLOBAL transaction_isolation = DEFAULT",
                    "SET GLOBAL init_connect = ''");
        }
    }

    /** What follows the comment is not checked, because it is inside of a text. */
    @Test
    void noTextOfAConditionBecomesAStatement() throws Exception {
        for (String minus : List.of("--/**/", "--\u007f")) {
            String sql = "SELECT k FROM shop.single WHERE 1" + minus + "'x\nUNION SELECT user FROM mysql.user -- '";
            try (MysqlConnection connection = tables.connect()) {
                CompletableFuture<QueryResult> answer = connection.query(sql);
                try {
                    answer.get(60, TimeUnit.SECONDS)
                            .rows()
                            .forEach(row -> assertTrue(Set.of("a", "b", "c").contains(row.text(0)), row.text(0)));
                } catch (ExecutionException e) {
                    assertTrue(e.getCause() instanceof MysqlServerError, String.valueOf(e.getCause()));
                }
            }
        }
        assertEquals(1064, refused("SELECT k FROM shop.single WHERE k = $$ ' $$ UNION SELECT 1 -- '"));
        assertEquals(List.of("c"), ask("SELECT k FROM shop.single WHERE v = 2 --/**/1"));
        assertEquals(List.of(), ask("SELECT k FROM shop.single WHERE k = 'a'\"'\""));
        assertEquals(List.of("a"), ask("SELECT k FROM shop.single WHERE k LIKE 'a' AND 'x%' LIKE 'x\\%'"));
        assertEquals(List.of(), ask("SELECT k FROM shop.single WHERE 'xy' LIKE 'x\\%'"));
    }

    /** Debezium takes the global lock. A client that takes it and hangs, or goes away, must not stop the shards. */
    @Test
    void theGlobalLockOfAClientLocksNoShard() throws Exception {
        try (MysqlConnection connection = tables.connect()) {
            for (String sql : List.of(
                    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                    "FLUSH TABLES WITH READ LOCK",
                    "START TRANSACTION WITH CONSISTENT SNAPSHOT",
                    "SELECT k FROM shop.single")) {
                connection.query(sql).get(60, TimeUnit.SECONDS);
            }
            s1.execute(
                    "SET SESSION lock_wait_timeout = 1",
                    "SET SESSION innodb_lock_wait_timeout = 1",
                    "INSERT INTO shop.single VALUES ('locked', 5)",
                    "ALTER TABLE shop.single ADD COLUMN later INT",
                    "ALTER TABLE shop.single DROP COLUMN later",
                    "DELETE FROM shop.single WHERE k = 'locked'");
            Await.until(
                    "no transaction is open on the shard",
                    LIMIT,
                    () -> s1.text("SELECT COUNT(*) FROM information_schema.INNODB_TRX")
                            .equals("0"));
        }
    }
}
