package io.tributary.seed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements, large transactions and failures of the replay on real servers. */
class ReplayStatementTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final TableName A = new TableName("d", "a");
    private static final TableName B = new TableName("d", "b");

    /** Tables a and b are copied, those whose names begin with "out" are passed over. */
    private static final ReplayScope SCOPE = (table, transaction) -> {
        if (table.table().startsWith("out") || table.schema().startsWith("out")) {
            return RowTreatment.PASS_OVER;
        }
        return table.table().length() == 1 ? RowTreatment.OVERWRITE : RowTreatment.PLAIN;
    };

    private static ReplayRig rig;

    @BeforeAll
    static void start() {
        rig = new ReplayRig();
    }

    @AfterAll
    static void end() throws SQLException {
        rig.close();
    }

    private static void begin() throws SQLException {
        rig.sessions(4);
        rig.bytesInFlight(64 << 20);
        rig.begin(
                "CREATE TABLE a (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE b (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE plain (id INT, v VARCHAR(100))");
        rig.source().execute("INSERT INTO a VALUES (1, 1), (2, 2)", "INSERT INTO b VALUES (1, 1), (2, 2)");
        rig.copy("a", "TRUE");
        rig.copy("b", "TRUE");
        rig.placeX();
    }

    @Test
    void aStatementOnACopiedTableMakesItDirty() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "UPDATE a SET v = 7",
                        "ALTER TABLE a ADD w INT DEFAULT 5",
                        "UPDATE a SET w = 6",
                        "DROP TABLE IF EXISTS a",
                        "CREATE TABLE a (x INT PRIMARY KEY)",
                        "INSERT INTO a VALUES (3)",
                        "UPDATE b SET v = 8");
        ReplayResult result = rig.replay(SCOPE);
        assertEquals(Set.of(A), result.dirty());
        assertEquals(Set.of(A), rig.dirty());
        assertEquals(List.of(), rig.target().rows("SHOW TABLES LIKE 'a'"));
        assertEquals(7, result.transactions());
        rig.assertEqual("b");
    }

    @Test
    void otherStatementsRunInTheSettingsOfTheirSessions() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "SET NAMES latin1",
                        "SET sql_mode = 'ANSI_QUOTES,NO_ZERO_DATE', time_zone = '+05:00', foreign_key_checks = 0",
                        "CREATE TABLE \"made\" (id INT PRIMARY KEY, p INT REFERENCES nowhere (id), t TIMESTAMP"
                                + " DEFAULT '2020-01-01 00:00:00', c VARCHAR(10) DEFAULT 'x') COMMENT 'a \"b\"'",
                        "INSERT INTO made (id) VALUES (1), (2)",
                        "ALTER TABLE made ADD now TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP",
                        "CREATE TABLE taken AS SELECT id, c FROM made",
                        "CREATE TABLE alike LIKE a",
                        "RENAME TABLE alike TO alike2",
                        "CREATE VIEW seen AS SELECT id FROM made",
                        "CREATE INDEX i ON made (c)",
                        "INSERT INTO plain VALUES (1, 'x'), (1, 'x')",
                        "UPDATE plain SET v = 'y' LIMIT 1",
                        "SET sql_mode = DEFAULT, time_zone = DEFAULT, NAMES utf8mb4",
                        "TRUNCATE TABLE taken",
                        "CREATE PROCEDURE p() SELECT 1",
                        "DROP PROCEDURE p");
        ReplayResult result = rig.replay(SCOPE);
        assertEquals(Set.of(), result.dirty());
        rig.assertEqual("a", "b", "made", "taken", "alike2", "plain");
        assertEquals("2", rig.target().text("SELECT COUNT(*) FROM seen"));
    }

    @Test
    void whateverAStatementOnACopiedTableChangesIsDirtyToo() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "RENAME TABLE a TO moved, plain TO a",
                        "INSERT INTO moved VALUES (9, 9)",
                        "INSERT INTO a VALUES (1, 'z')",
                        "CREATE TABLE alike LIKE moved",
                        "INSERT INTO alike VALUES (1, 1)");
        Set<TableName> all =
                Set.of(A, new TableName("d", "moved"), new TableName("d", "plain"), new TableName("d", "alike"));
        assertEquals(all, rig.replay(SCOPE).dirty());
        assertEquals(all, rig.dirty());
        rig.assertEqual("b");
    }

    @Test
    void droppingASchemaMakesItsCopiedTablesDirty() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "DROP DATABASE d",
                        "CREATE DATABASE d",
                        "CREATE TABLE d.a (id INT)",
                        "INSERT INTO d.a VALUES (1)",
                        "CREATE TABLE d.fresh (id INT)",
                        "INSERT INTO d.fresh VALUES (1)",
                        "USE d");
        assertEquals(Set.of(A, B), rig.replay(SCOPE).dirty());
        rig.target().execute("USE d");
        assertEquals("fresh", rig.target().text("SHOW TABLES"));
        rig.assertEqual("fresh");
    }

    @Test
    void tablesThatArePassedOverLeaveEmptyTransactions() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "CREATE TABLE out1 (id INT)",
                        "CREATE DATABASE out_db",
                        "BEGIN",
                        "INSERT INTO out1 VALUES (1)",
                        "INSERT INTO a VALUES (5, 5)",
                        "INSERT INTO out1 VALUES (2)",
                        "COMMIT",
                        "INSERT INTO out1 VALUES (3)",
                        "ALTER TABLE out1 ADD v INT",
                        "DROP TABLE out1",
                        "DROP DATABASE out_db");
        assertEquals(7, rig.replay(SCOPE).transactions());
        assertEquals(Set.of(), rig.dirty());
        rig.assertEqual("a", "b");
    }

    @Test
    void aTransactionThatIsTooLargeToBeHeldIsPassedOnInPieces() throws SQLException {
        begin();
        rig.bytesInFlight(1 << 16);
        rig.source()
                .execute(
                        "ALTER TABLE plain MODIFY v VARCHAR(2000)",
                        "INSERT INTO a WITH RECURSIVE s (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM s WHERE n < 900)"
                                + " SELECT n, n FROM s",
                        "BEGIN",
                        "INSERT INTO plain SELECT id, REPEAT('x', 1000) FROM a",
                        "UPDATE a SET v = v + 1",
                        "DELETE FROM a WHERE id % 2 = 0",
                        "COMMIT",
                        "UPDATE b SET v = 3");
        rig.replay(SCOPE);
        rig.assertEqual("a", "b", "plain");
    }

    @Test
    void aRowThatFitsNoPacketIsRefused() throws SQLException {
        begin();
        rig.source()
                .execute("ALTER TABLE plain MODIFY v LONGTEXT", "INSERT INTO plain VALUES (1, REPEAT('x', 200000))");
        rig.target().execute("SET GLOBAL max_allowed_packet = 131072");
        try {
            TributaryException error = assertThrows(TributaryException.class, () -> rig.replay(SCOPE));
            assertEquals(ErrorCode.TARGET_UNFIT, error.code());
            assertTrue(
                    error.getMessage().contains("d.plain: expected max_allowed_packet of at least 267"),
                    error::getMessage);
        } finally {
            rig.target().execute("SET GLOBAL max_allowed_packet = DEFAULT");
        }
        rig.replay(SCOPE);
        rig.assertEqual("plain");
    }

    @Test
    void rowsWithoutAllColumnsAreRefused() throws SQLException {
        begin();
        rig.source().execute("SET binlog_row_image = MINIMAL", "UPDATE a SET v = 7");
        TributaryException error = assertThrows(TributaryException.class, () -> rig.replay(SCOPE));
        assertEquals(ErrorCode.REPLAY_FAILED, error.code());
        assertTrue(error.getMessage().startsWith("d.a: expected rows with all columns"), error::getMessage);
    }

    @Test
    void aTransactionThatWaitsForALockIsRepeatedAsAWhole() throws Exception {
        begin();
        rig.source().execute("BEGIN", "UPDATE b SET v = 5 WHERE id = 1", "UPDATE a SET v = 5", "COMMIT");
        GtidSet upTo = rig.executed();
        try (Sql locks = rig.targetServer().sql()) {
            locks.execute("BEGIN", "SELECT * FROM d.a FOR UPDATE");
            long before = lockWaits(rig.target());
            CompletableFuture<ReplayResult> running = CompletableFuture.supplyAsync(() -> rig.replay(upTo, SCOPE));
            Await.until("two lock waits", LIMIT, () -> running.isDone() || lockWaits(rig.target()) > before + 1);
            assertFalse(running.isDone(), running::toString);
            assertEquals("2", rig.target().text("SELECT COUNT(*) FROM b WHERE v = id"));
            locks.execute("COMMIT");
            assertEquals(1, running.join().transactions());
        }
        rig.assertEqual("a", "b");
    }

    private static long lockWaits(Sql sql) {
        try {
            return Long.parseLong(sql.rows("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'")
                    .get(0)
                    .get("Value"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRunThatLosesItsSessionsResumes() throws Exception {
        begin();
        for (int i = 0; i < 3000; i++) {
            rig.source()
                    .execute(
                            "UPDATE " + (i % 2 == 0 ? "a" : "b") + " SET v = v + 1",
                            "INSERT INTO plain VALUES (1, 'x')");
        }
        GtidSet upTo = rig.executed();
        int runs = 0;
        long reached = rig.replayed();
        for (boolean done = false; !done; runs++) {
            CompletableFuture<ReplayResult> running = CompletableFuture.supplyAsync(() -> rig.replay(upTo, SCOPE));
            long from = reached + 500;
            Await.until("progress", LIMIT, () -> running.isDone() || rig.replayed() > from);
            if (runs < 2) {
                killSessions();
            }
            done = running.handle((result, failure) -> failure == null).join();
            reached = rig.replayed();
        }
        assertTrue(runs > 1, "one run only");
        rig.assertEqual("a", "b", "plain");
    }

    private static void killSessions() throws SQLException {
        for (Map<String, String> row : rig.target().rows("SHOW PROCESSLIST")) {
            if (!row.get("Id").equals(rig.target().text("SELECT CONNECTION_ID()")) && "root".equals(row.get("User"))) {
                try {
                    rig.target().execute("KILL " + row.get("Id"));
                } catch (SQLException e) {
                    assertEquals(1094, e.getErrorCode()); // it has ended by itself
                }
            }
        }
    }

    /** A seed that stands still for a while, such as in a paused machine, must change nothing after another one has begun. */
    @Test
    void aLaterSeedEndsTheReplayBeforeATableIsDropped() throws SQLException {
        begin();
        rig.source()
                .execute(
                        "UPDATE a SET v = v + 1",
                        "ALTER TABLE a ADD COLUMN w INT",
                        "INSERT INTO plain VALUES (1, 'x')");
        GtidSet upTo = rig.executed();
        long before = rig.replayed();
        assertThrows(TributaryException.class, () -> rig.replay(upTo, SCOPE, (tables, transaction) -> rig.writers()));
        assertEquals(before + 1, rig.replayed());
        assertEquals("2", rig.target().text("SELECT COUNT(*) FROM a"));
        rig.replay(upTo, SCOPE);
        assertEquals(Set.of(A), rig.dirty());
        rig.assertEqual("b", "plain");
    }

    @Test
    void aTargetThatIsKilledHasAllThatItReported() throws Exception {
        begin();
        for (int i = 0; i < 1000; i++) {
            rig.source().execute("UPDATE a SET v = v + 1", "INSERT INTO plain VALUES (1, 'x')");
        }
        rig.source().execute("CREATE TABLE made (id INT PRIMARY KEY)", "INSERT INTO made VALUES (1)");
        GtidSet upTo = rig.executed();
        long from = rig.replayed() + 200;
        CompletableFuture<ReplayResult> running = CompletableFuture.supplyAsync(() -> rig.replay(upTo, SCOPE));
        Await.until("progress", LIMIT, () -> running.isDone() || rig.replayed() > from);
        rig.targetServer().kill9();
        Throwable failure = running.handle((result, error) -> error).join();
        assertEquals(ErrorCode.TARGET_UNREACHABLE, ((TributaryException) failure.getCause()).code());
        rig.targetServer().restart();
        rig.reconnect();
        rig.replay(upTo, SCOPE);
        rig.assertEqual("a", "b", "plain", "made");
    }
}
