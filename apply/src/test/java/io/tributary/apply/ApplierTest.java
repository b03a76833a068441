package io.tributary.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.Sql;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertEquals(
                Long.toString(100), rig.target().text("SELECT COUNT(*) FROM d.v WHERE id = 100") + "00");
        if (backend == ApplyBackend.EVENTS) {
            assertEquals(rig.source().gtidExecuted(), only(rig.target().gtidExecuted()));
        }
    }

    /** The part of the source's UUID. */
    private static String only(String executed) throws Exception {
        String uuid = rig.source().uuid();
        for (String part : executed.split(",")) {
            if (part.strip().startsWith(uuid)) {
                return part.strip();
            }
        }
        return "";
    }
}
