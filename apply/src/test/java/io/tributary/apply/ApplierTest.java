package io.tributary.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.replay.session.Peer;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.Sql;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An applier between two real servers. */
class ApplierTest {
    private static ApplyRig rig;
    private static long marks;

    @BeforeAll
    static void startServers() {
        rig = new ApplyRig(MysqlOptions.named("target"));
    }

    @AfterAll
    static void stopServers() throws Exception {
        rig.close();
    }

    @BeforeEach
    void begin() throws Exception {
        try (Sql source = rig.source().sql()) {
            source.execute(
                    "DROP DATABASE IF EXISTS d",
                    "RESET MASTER",
                    "CREATE DATABASE d",
                    "CREATE TABLE d.mark (id BIGINT PRIMARY KEY)",
                    "CREATE TABLE d.a (id INT PRIMARY KEY, u INT, t VARCHAR(40), UNIQUE KEY (u))",
                    "CREATE TABLE d.nokey (v INT, t VARCHAR(20), f FLOAT)",
                    "CREATE TABLE d.parent (id INT PRIMARY KEY, t VARCHAR(20))",
                    "CREATE TABLE d.child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.parent (id))",
                    "CREATE TABLE d.cascading (id INT PRIMARY KEY, p INT,"
                            + " FOREIGN KEY (p) REFERENCES d.a (id) ON DELETE CASCADE)");
        }
        try (Sql target = rig.target().sql()) {
            target.execute(
                    "SET sql_log_bin = 0",
                    "DROP DATABASE IF EXISTS d",
                    "DROP DATABASE IF EXISTS e",
                    "DROP DATABASE IF EXISTS tributary_apply",
                    "SET sql_log_bin = 1",
                    "RESET MASTER");
        }
    }

    @AfterEach
    void end() throws Exception {
        rig.stop();
    }

    private static void mark() throws Exception {
        rig.source().execute("INSERT INTO d.mark VALUES (" + ++marks + ")");
        rig.awaitMark("d.mark", marks);
    }

    /** Random transactions on all tables, with key changes and swaps of unique values. */
    private static void load(Random random, int transactions) throws Exception {
        try (Sql sql = rig.source().sql()) {
            sql.execute("USE d");
            for (int i = 0; i < transactions; i++) {
                sql.execute("BEGIN");
                for (int j = 1 + random.nextInt(3); j > 0; j--) {
                    sql.execute(statement(random));
                }
                sql.execute("COMMIT");
            }
        }
    }

    private static String statement(Random random) {
        int id = random.nextInt(30);
        int other = random.nextInt(30);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> "REPLACE INTO a VALUES (" + id + ", " + other + ", 'text " + random.nextInt() + "')";
            case 3 -> "UPDATE IGNORE a SET id = " + other + " WHERE id = " + id;
            case 4 -> "UPDATE a SET t = CONCAT(t, 'ä') WHERE id = " + id + " AND LENGTH(t) < 30";
            case 5 -> "DELETE FROM a WHERE id = " + id;
            case 6 -> "INSERT INTO nokey VALUES (" + id + ", 'v" + other + "', " + other + " / 3)";
            case 7 -> "UPDATE nokey SET v = v + 1 WHERE v = " + id + " LIMIT 1";
            case 8 -> "INSERT IGNORE INTO parent VALUES (" + id + ", 'p')";
            case 9 -> "INSERT IGNORE INTO child VALUES (" + other + ", " + id + ")";
            case 10 -> "DELETE IGNORE FROM parent WHERE id = " + id;
            default -> "INSERT IGNORE INTO cascading VALUES (" + other + ", " + id + ")";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "EVENTS, NONE, 8, 1",
        "EVENTS, STRICT, 8, 4",
        "EVENTS, GROUP, 4, 8",
        "SQL, NONE, 8, 1",
        "SQL, STRICT, 8, 4",
        "SQL, GROUP, 4, 8"
    })
    void theTargetBecomesEqual(ApplyBackend backend, ApplyOrder order, int sessions, int batch) throws Exception {
        load(new Random(1), 100);
        var settings = ApplyRig.settings(backend, order, sessions, batch);
        var running = rig.start(settings);
        load(new Random(2), 300);
        mark();
        rig.requireEqual("d");
        rig.stop();
        load(new Random(3), 100);
        rig.source()
                .execute(
                        "ALTER TABLE d.a ADD COLUMN w INT NOT NULL DEFAULT 5 AFTER id",
                        "CREATE TABLE d.copy (PRIMARY KEY (id)) SELECT id, t FROM d.a",
                        "TRUNCATE d.nokey",
                        "INSERT INTO d.a VALUES (100, 6, 100, 'new')",
                        "CREATE VIEW d.v AS SELECT id FROM d.a");
        rig.start(settings);
        mark();
        rig.requireEqual("d");
        assertTrue(running.applier().figures().transactions() > 300);
        assertEquals(Long.toString(100), rig.target().text("SELECT COUNT(*) FROM d.v WHERE id = 100") + "00");
        if (backend == ApplyBackend.EVENTS) {
            assertEquals(rig.source().gtidExecuted(), only(rig.target().gtidExecuted()));
        }
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void inStrictOrderNobodySeesALaterTransactionWithoutAnEarlierOne(ApplyBackend backend) throws Exception {
        rig.source()
                .execute(
                        "CREATE TABLE d.x (id INT PRIMARY KEY, n INT)",
                        "CREATE TABLE d.y (id INT PRIMARY KEY, n INT)",
                        "INSERT INTO d.x VALUES (1, 0)",
                        "INSERT INTO d.y VALUES (1, 0)");
        rig.start(ApplyRig.settings(backend, ApplyOrder.STRICT, 8, 1));
        mark();
        var observer = new CompletableFuture<Long>();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread thread = new Thread(() -> observe(isOver, observer), "observer");
        thread.start();
        try (Sql source = rig.source().sql()) {
            for (int i = 1; i <= 500; i++) {
                source.execute("UPDATE d.x SET n = " + i, "UPDATE d.y SET n = " + i);
            }
            mark();
        } finally {
            isOver.set(true);
            thread.join();
        }
        assertTrue(observer.get() > 100, "observations: " + observer.get());
    }

    /** Reads y, then x: x is never older than y was. */
    private static void observe(AtomicBoolean isOver, CompletableFuture<Long> result) {
        try (Sql target = rig.target().sql()) {
            target.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            long count = 0;
            while (!isOver.get()) {
                var row = target.rows("SELECT x.n AS x, y.n AS y FROM d.x JOIN d.y USING (id)")
                        .get(0);
                long x = Long.parseLong(row.get("x"));
                long y = Long.parseLong(row.get("y"));
                if (y > x || x > y + 1) {
                    throw new AssertionError("expected y <= x <= y + 1, found x " + x + " and y " + y);
                }
                count++;
            }
            result.complete(count);
        } catch (Exception | AssertionError e) {
            result.completeExceptionally(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"EVENTS, NONE", "EVENTS, STRICT", "SQL, NONE", "SQL, STRICT"})
    void eachTransactionIsAppliedOnceWhateverIsKilled(ApplyBackend backend, ApplyOrder order) throws Exception {
        int kills = Integer.getInteger("kills", 3);
        Random random = new Random(Long.getLong("seed", 7));
        rig.source()
                .execute(
                        "CREATE TABLE d.sum (id INT PRIMARY KEY, n BIGINT)", "INSERT INTO d.sum VALUES (1, 0), (2, 0)");
        var settings = ApplyRig.settings(backend, order, 8, 4);
        rig.start(settings);
        mark();
        for (int kill = 0; kill < kills; kill++) {
            try (Sql source = rig.source().sql()) {
                for (int i = 0; i < 100; i++) {
                    source.execute(
                            "UPDATE d.sum SET n = n + 1 WHERE id = " + (1 + random.nextInt(2)),
                            "INSERT INTO d.nokey VALUES (" + i + ", 'k', 0.5)");
                }
                source.execute("ALTER TABLE d.child ADD COLUMN c" + kill + " INT");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
            if (random.nextBoolean()) {
                rig.target().kill9();
                rig.target().restart();
                rig.awaitFailure();
            } else {
                rig.cut();
            }
            rig.start(settings);
        }
        mark();
        rig.requireEqual("d");
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aTransactionThatIsTooLargeToBeHeldIsAppliedAlone(ApplyBackend backend) throws Exception {
        rig.source().execute("CREATE TABLE d.big (id INT PRIMARY KEY, t LONGTEXT)");
        var small = new ApplyPlan.Settings(
                backend, ApplyOrder.STRICT, ApplyDependency.WRITESET, false, new ApplyPlan.Limits(4, 4, 100, 1 << 20));
        try (Sql source = rig.source().sql()) {
            source.execute("INSERT INTO d.big VALUES (0, '')", "BEGIN");
            for (int i = 1; i <= 20; i++) {
                source.execute("INSERT INTO d.big VALUES (" + i + ", REPEAT('x', 200000))");
            }
            source.execute("COMMIT", "DELETE FROM d.big WHERE id = 7", "INSERT INTO d.big VALUES (30, '')");
        }
        rig.start(small);
        mark();
        rig.requireEqual("d");
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void tablesCanBeLeftOutAndRenamed(ApplyBackend backend) throws Exception {
        rig.source().execute("CREATE TABLE d.secret (id INT PRIMARY KEY)", "INSERT INTO d.secret VALUES (1)");
        ApplyNames names =
                ApplyNames.of(table -> !table.table().equals("secret"), schema -> false, List.of("d:e", "d.a:e.first"));
        rig.start(ApplyRig.settings(backend, ApplyOrder.NONE), names, Optional.empty());
        rig.source()
                .execute(
                        "INSERT INTO d.a VALUES (1, 1, 'one')",
                        "ALTER TABLE d.a ADD COLUMN more INT",
                        "DROP TABLE d.secret",
                        "CREATE TABLE d.b LIKE d.a",
                        "INSERT INTO d.b VALUES (2, 2, 'two', 2)",
                        "INSERT INTO d.mark VALUES (" + ++marks + ")");
        rig.awaitMark("e.mark", marks);
        assertEquals("one", rig.target().text("SELECT t FROM e.first WHERE more IS NULL"));
        assertEquals("2", rig.target().text("SELECT more FROM e.b"));
        assertEquals(
                "0", rig.target().text("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'secret'"));
    }

    /** What servers do by themselves, or compare in another way, when rows are applied by statements. */
    @Test
    void rowsAreTheSameWhateverAServerDoesByItself() throws Exception {
        var settings = ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE);
        try (Sql source = rig.source().sql()) {
            source.execute(
                    "USE d",
                    "CREATE TABLE touched (id INT PRIMARY KEY, v INT, at DATETIME(6) DEFAULT '2001-01-01' ON UPDATE NOW(6))",
                    "CREATE TABLE likely (t VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, n INT)",
                    "CREATE TABLE choice (e ENUM('a','b','c'), id INT, PRIMARY KEY (e, id))",
                    "CREATE TABLE tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES tree (id))",
                    "CREATE TABLE odd (id INT PRIMARY KEY, e ENUM('x'))",
                    "INSERT INTO touched VALUES (1, 1, '2001-01-01')",
                    "UPDATE touched SET v = 2, at = at",
                    "INSERT INTO likely VALUES ('a', 1), ('A', 1)",
                    "DELETE FROM likely WHERE BINARY t = 'A'",
                    "INSERT INTO choice VALUES ('b', 5), ('c', 6), ('a', 7)",
                    "DELETE FROM choice WHERE id < 7",
                    "INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2)",
                    "DELETE FROM tree ORDER BY id DESC",
                    "SET sql_mode = ''",
                    "INSERT INTO odd VALUES (1, 'none of them')");
        }
        rig.start(settings);
        mark();
        rig.requireEqual("d");
    }

    /** A dump creates children before their parents. */
    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aForeignKeyMayReferenceATableThatIsCreatedLater(ApplyBackend backend) throws Exception {
        try (Sql source = rig.source().sql()) {
            source.execute(
                    "SET foreign_key_checks = 0",
                    "CREATE TABLE d.first (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.second (id))",
                    "INSERT INTO d.first VALUES (1, 7)",
                    "CREATE TABLE d.second (id INT PRIMARY KEY)",
                    "INSERT INTO d.second VALUES (7)");
        }
        rig.start(ApplyRig.settings(backend, ApplyOrder.NONE));
        mark();
        rig.requireEqual("d");
    }

    @Test
    void rowsThatOverwriteDoNotDeleteChildren() throws Exception {
        try (Sql source = rig.source().sql()) {
            source.execute(
                    "INSERT INTO d.a VALUES (1, 1, 'x')",
                    "INSERT INTO d.cascading VALUES (5, 1)",
                    "UPDATE d.a SET t = 'y' WHERE id = 1");
        }
        var plain = ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE);
        rig.start(new ApplyPlan.Settings(plain.backend(), plain.order(), plain.dependency(), true, plain.limits()));
        mark();
        rig.requireEqual("d");
    }

    /** A statement that the target refuses is executed when its cause is removed, also if definitions have changed meanwhile. */
    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aStatementThatWasRefusedIsNotSkipped(ApplyBackend backend) throws Exception {
        var settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.start(settings);
        mark();
        rig.target().execute("SET sql_log_bin = 0", "ALTER TABLE d.a ADD INDEX own (t)");
        rig.source().execute("ALTER TABLE d.a ADD COLUMN w INT, ADD INDEX own (u)");
        assertFailure(ErrorCode.TARGET_FAILED, "ALTER TABLE", "1061");
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_FAILED, "ALTER TABLE", "1061");
        rig.target().execute("SET sql_log_bin = 0", "ALTER TABLE d.a DROP INDEX own");
        rig.start(settings);
        mark();
        assertEquals(
                rig.source().text("SHOW CREATE TABLE d.a").length(),
                rig.target().text("SHOW CREATE TABLE d.a").length());
        rig.requireEqual("d");
    }

    /** A place in the stream that is given once is stored. */
    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void theStartIsStored(ApplyBackend backend) throws Exception {
        var settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.source().execute("INSERT INTO d.parent VALUES (1, 'before')");
        String ddl = rig.source()
                .text("SELECT GROUP_CONCAT(table_name) FROM information_schema.tables WHERE table_schema = 'd'");
        for (String table : List.of("mark", "a", "nokey", "parent", "child", "cascading")) {
            assertTrue(ddl.contains(table));
        }
        GtidSet start = GtidSet.parse(rig.source().gtidExecuted());
        try (Sql target = rig.target().sql();
                Sql source = rig.source().sql()) {
            target.execute("SET sql_log_bin = 0", "CREATE DATABASE d", "USE d", "SET foreign_key_checks = 0");
            for (String table : List.of("mark", "a", "nokey", "parent", "child", "cascading")) {
                target.execute(
                        source.rows("SHOW CREATE TABLE d." + table).get(0).get("Create Table"));
            }
        }
        rig.start(settings, ApplyNames.ALL, Optional.of(start));
        mark();
        rig.stop();
        rig.start(settings);
        mark();
        assertEquals("0", rig.target().text("SELECT COUNT(*) FROM d.parent"));
    }

    @Test
    void aSchemaOfWhichOnlyAPartIsAppliedIsNotDropped() throws Exception {
        ApplyNames names = ApplyNames.of(table -> !table.table().equals("secret"), schema -> false, List.of());
        rig.start(ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE), names, Optional.empty());
        mark();
        rig.source().execute("DROP DATABASE d", "CREATE DATABASE d");
        assertFailure(ErrorCode.REPLAY_FAILED, "all tables of the schema are applied", "DROP DATABASE");
    }

    // ---- bad input: the applier waits, says what to do, and continues when it was done

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void whatTheTargetLacksIsNamed(ApplyBackend backend) throws Exception {
        var settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.start(settings);
        mark();
        rig.target().execute("SET sql_log_bin = 0", "RENAME TABLE d.a TO d.other");
        rig.source().execute("INSERT INTO d.a VALUES (5, 5, 'x')");
        assertFailure(ErrorCode.TARGET_UNFIT, "expected the table d.a, found none");
        rig.target().execute("SET sql_log_bin = 0", "RENAME TABLE d.other TO d.a", "ALTER TABLE d.a DROP COLUMN t");
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_UNFIT, "the table d.a with the columns of the stream", "found id, u");
        rig.target().execute("SET sql_log_bin = 0", "ALTER TABLE d.a ADD COLUMN t VARCHAR(40)");
        rig.start(settings);
        mark();
        rig.requireEqual("d");
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aRowThatDiffersIsNamed(ApplyBackend backend) throws Exception {
        var settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.start(settings);
        rig.source().execute("INSERT INTO d.a VALUES (1, 1, 'x'), (2, 2, 'x')");
        mark();
        rig.target().execute("SET sql_log_bin = 0", "DELETE FROM d.a WHERE id = 1");
        rig.source().execute("UPDATE d.a SET t = 'y' WHERE id = 1");
        assertFailure(ErrorCode.TARGET_FAILED, "d.a", backend == ApplyBackend.SQL ? "another number of rows" : "1032");
        rig.target().execute("SET sql_log_bin = 0", "INSERT INTO d.a VALUES (1, 1, 'x'), (9, 9, 'own')");
        rig.source().execute("INSERT INTO d.a VALUES (9, 9, 'z')");
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_FAILED, "d.a", "1062");
        rig.target().execute("SET sql_log_bin = 0", "DELETE FROM d.a WHERE id = 9");
        rig.start(settings);
        mark();
        rig.requireEqual("d");
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aTargetThatIsReadOnlyIsNamed(ApplyBackend backend) throws Exception {
        var settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.start(settings);
        mark();
        rig.stop();
        rig.target().execute("SET GLOBAL read_only = ON");
        try {
            rig.start(settings);
            assertFailure(ErrorCode.TARGET_UNFIT, "read_only = ON");
        } finally {
            rig.target().execute("SET GLOBAL read_only = OFF");
        }
        rig.start(settings);
        mark();
    }

    /** The rights of docs/apply.md are enough. When one is lost, the applier names it, and nothing is lost after it is given back. */
    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aRightThatIsLostIsNamed(ApplyBackend backend) throws Exception {
        rig.target()
                .execute(
                        "DROP USER IF EXISTS applier",
                        "CREATE USER applier IDENTIFIED BY 'secret'",
                        "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW,"
                                + " TRIGGER ON *.* TO applier",
                        "GRANT SESSION_VARIABLES_ADMIN ON *.* TO applier");
        if (backend == ApplyBackend.EVENTS) {
            rig.target().execute("GRANT REPLICATION_APPLIER ON *.* TO applier");
        }
        Peer target = Peer.target(
                Endpoint.of(rig.target().host(), rig.target().port(), "applier", "secret"), Duration.ofSeconds(30));
        ApplyPlan plan = ApplyRig.plan(
                ApplyRig.settings(backend, ApplyOrder.NONE), ApplyNames.ALL, Optional.empty(), target);
        rig.start(plan);
        load(new Random(4), 50);
        mark();
        rig.stop();

        String lost = backend == ApplyBackend.EVENTS ? "REPLICATION_APPLIER" : "INSERT";
        rig.target().execute("REVOKE " + lost + " ON *.* FROM applier");
        load(new Random(5), 50);
        rig.start(plan);
        assertFailure(ErrorCode.TARGET_FAILED, lost);
        rig.target().execute("GRANT " + lost + " ON *.* TO applier");
        rig.start(plan);
        mark();
        rig.requireEqual("d");
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void aLockOfAForeignSessionIsWaitedFor(ApplyBackend backend) throws Exception {
        rig.start(ApplyRig.settings(backend, ApplyOrder.NONE));
        rig.source().execute("INSERT INTO d.a VALUES (1, 1, 'x')");
        mark();
        var before = rig.running().applier().figures().retries();
        try (Sql foreign = rig.target().sql()) {
            foreign.execute("BEGIN", "SELECT * FROM d.a WHERE id = 1 FOR UPDATE");
            rig.source().execute("UPDATE d.a SET t = 'y' WHERE id = 1");
            Await.until(
                    "a retry",
                    ApplyRig.LIMIT,
                    () -> rig.running().applier().figures().retries() > before);
            foreign.execute("ROLLBACK");
        }
        mark();
        rig.requireEqual("d");
    }

    @Test
    void theProgressOfAnotherStreamIsRefused() throws Exception {
        var settings = ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE);
        rig.start(settings);
        mark();
        rig.stop();
        rig.target().execute("UPDATE tributary_apply.streams SET uuid = '00000000-0000-0000-0000-000000000001'");
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_UNFIT, "found that of stream 00000000-0000-0000-0000-000000000001");
        rig.start(ApplyRig.settings(ApplyBackend.EVENTS, ApplyOrder.NONE));
        assertFailure(ErrorCode.TARGET_UNFIT, "apply.backend=sql");
    }

    @Test
    void thereIsOneApplierForAStream() throws Exception {
        var settings = ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE);
        rig.start(settings);
        mark();
        var first = rig.running();
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_UNFIT, "expected no other applier");
        rig.running(first);
        mark();
    }

    @Test
    void aTriggerOfTheTargetIsRefusedForStatements() throws Exception {
        var settings = ApplyRig.settings(ApplyBackend.SQL, ApplyOrder.NONE);
        rig.source()
                .execute(
                        "CREATE TRIGGER d.t BEFORE INSERT ON d.a FOR EACH ROW SET NEW.t = 'by a trigger'",
                        "INSERT INTO d.a VALUES (1, 1, 'x')");
        rig.start(settings);
        mark();
        assertEquals(1, rig.running().applier().figures().leftOut());
        rig.requireEqual("d");
        rig.stop();
        rig.target().execute("CREATE TRIGGER d.t BEFORE INSERT ON d.a FOR EACH ROW SET NEW.t = 'twice'");
        rig.source().execute("INSERT INTO d.a VALUES (2, 2, 'x')");
        rig.start(settings);
        assertFailure(ErrorCode.TARGET_UNFIT, "the trigger t");
    }

    private static void assertFailure(ErrorCode code, String... parts) throws Exception {
        Throwable failure = rig.awaitFailure();
        TributaryException error = assertInstanceOf(TributaryException.class, failure);
        assertEquals(code, error.code(), error.toString());
        for (String part : parts) {
            assertTrue(error.getMessage().contains(part), error.getMessage());
        }
    }

    /** The part of the source's UUID. */
    private static String only(String executed) throws Exception {
        String uuid = rig.source().uuid();
        for (String part : executed.split(",", -1)) {
            if (part.strip().startsWith(uuid)) {
                return part.strip();
            }
        }
        return "";
    }
}
