package io.tributary.seed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The overwriting replay on real servers: a copy that was read in any order is exact after it. */
class ReplayTest {
    private static ReplayRig rig;

    @BeforeAll
    static void start() {
        rig = new ReplayRig();
    }

    @AfterAll
    static void end() throws SQLException {
        rig.close();
    }

    private static void counterExample() throws SQLException {
        rig.begin("CREATE TABLE t (id INT PRIMARY KEY, u INT NOT NULL UNIQUE)");
        rig.source().execute("INSERT INTO t VALUES (1, 5), (2, 7)");
        rig.placeX();
        rig.source()
                .execute(
                        "UPDATE t SET u = 6 WHERE id = 1",
                        "INSERT INTO t VALUES (3, 5)",
                        "DELETE FROM t WHERE id = 3",
                        "UPDATE t SET u = 5 WHERE id = 2");
        rig.copy("t", "TRUE");
        assertEquals("[{id=1, u=6}, {id=2, u=5}]", ReplayRig.rows(rig.target(), "t"));
    }

    @Test
    void theEventsAsTheyAreLoseARow() throws SQLException {
        counterExample();
        rig.replay(ReplayRig.PLAIN);
        assertEquals("[{id=1, u=6}]", ReplayRig.rows(rig.target(), "t"));
    }

    @Test
    void overwritingRowsKeepsIt() throws SQLException {
        counterExample();
        assertEquals(4, rig.replay(ReplayRig.OVERWRITE).transactions());
        assertEquals("[{id=1, u=6}, {id=2, u=5}]", ReplayRig.rows(rig.target(), "t"));
        rig.assertEqual("t");
    }

    @Test
    void aRowWhoseKeyChangesBetweenTwoChunksIsThereOnce() throws SQLException {
        rig.begin("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        rig.source().execute("INSERT INTO t VALUES (1, 10), (100, 20)");
        rig.placeX();
        rig.copy("t", "id < 50");
        rig.source().execute("UPDATE t SET id = 101 WHERE id = 1"); // read twice
        rig.source().execute("UPDATE t SET id = 2 WHERE id = 100"); // read never
        rig.copy("t", "id >= 50");
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual("t");
    }

    @Test
    void oneStatementMayMoveUniqueValuesOverManyRows() throws SQLException {
        rig.begin("CREATE TABLE t (id INT PRIMARY KEY, u INT NOT NULL UNIQUE, v CHAR(200))");
        rig.source().execute("INSERT INTO t SELECT n, n, n FROM " + numbers(1, 200));
        rig.placeX();
        rig.copy("t", "id % 3 = 0");
        rig.source().execute("UPDATE t SET id = id + 1 ORDER BY id DESC");
        rig.copy("t", "id % 3 = 1");
        rig.source().execute("UPDATE t SET u = -u", "UPDATE t SET u = 1 - u ORDER BY u", "UPDATE t SET id = -id");
        rig.copy("t", "id % 3 = 2");
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual("t");
    }

    @Test
    void aRowMayChangeItsKeyTwiceInOneEvent() throws SQLException {
        rig.begin("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "CREATE TABLE moves (id INT PRIMARY KEY, n INT)");
        rig.source()
                .execute(
                        "INSERT INTO t VALUES (1, 0)",
                        "INSERT INTO moves VALUES (1, 0), (2, 0), (3, 0)",
                        "CREATE TRIGGER tr BEFORE UPDATE ON moves FOR EACH ROW UPDATE t SET id = id + 1");
        rig.placeX();
        rig.copy("t", "TRUE");
        rig.copy("moves", "TRUE");
        rig.source().execute("UPDATE moves SET n = n + 1");
        rig.replay(ReplayRig.OVERWRITE);
        assertEquals("[{id=4, v=0}]", ReplayRig.rows(rig.target(), "t"));
        rig.assertEqual("t", "moves");
    }

    @Test
    void aNotNullUniqueKeyIsAKey() throws SQLException {
        rig.begin("CREATE TABLE t (a INT NOT NULL, b VARCHAR(20) NOT NULL, c INT, UNIQUE (a, b), UNIQUE (c))");
        rig.source().execute("INSERT INTO t VALUES (1, 'x', 1), (1, 'y', 2), (2, 'x', NULL)");
        rig.placeX();
        rig.copy("t", "b = 'x'");
        rig.source()
                .execute(
                        "UPDATE t SET c = NULL WHERE c = 1",
                        "UPDATE t SET c = 1 WHERE c = 2",
                        "UPDATE t SET b = 'z' WHERE a = 2",
                        "INSERT INTO t VALUES (2, 'x', 2)");
        rig.copy("t", "b <> 'x'");
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual("t");
    }

    @Test
    void allColumnTypesAndGeneratedColumnsAreReplayed() throws SQLException {
        rig.begin("CREATE TABLE t (id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, j JSON, b LONGBLOB, s VARCHAR(300),"
                + " e ENUM('a','b','c'), st SET('x','y','z'), bi BIT(13), d DECIMAL(30,10), g GEOMETRY, f DOUBLE,"
                + " ts TIMESTAMP(3) NULL, dt DATETIME(6), ti TIME(2), y YEAR, c CHAR(100), tt TINYTEXT,"
                + " gv INT AS (y * 2) VIRTUAL, gs VARCHAR(310) AS (CONCAT(s, '!')) STORED, UNIQUE (gs), INDEX (gv))");
        GtidSet x = rig.executed();
        rig.placeX();
        rig.source()
                .execute(
                        "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
                        "INSERT INTO t (id, s) VALUES (0, 'zero')",
                        "INSERT INTO t (j, b, s, e, st, bi, d, g, f, ts, dt, ti, y, c, tt) VALUES"
                                + " ('{\"a\": [1, 2, {\"b\": null}]}', REPEAT(x'00ff', 100000), REPEAT('é', 300), 'b',"
                                + " 'x,z', b'1010101010101', 12345678901234567890.0123456789, POINT(1, 2), 1.5,"
                                + " '2020-01-01 00:00:00.123', '2020-01-01 00:00:00.123456', '-10:00:00.5', 2020, 'c', 't')",
                        "INSERT INTO t (s) VALUES ('nulls')",
                        "UPDATE t SET j = JSON_SET(j, '$.a[0]', 7), d = -d, bi = b'1', st = 'y', e = NULL WHERE e = 'b'",
                        "UPDATE t SET s = 'other', g = ST_GeomFromText('LINESTRING(0 0, 1 1)') WHERE s = 'nulls'",
                        "UPDATE t SET b = REPEAT('b', 300000), id = id + 100 WHERE id > 0 ORDER BY id DESC");
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual("t");
        GtidSet end = rig.executed();
        rig.place(x);
        rig.replay(end, ReplayRig.OVERWRITE); // a copy that was read after all events
        rig.assertEqual("t");
    }

    @Test
    void foreignKeysDoNotActOnRowsThatAreReplaced() throws SQLException {
        rig.begin(
                "CREATE TABLE p (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE)");
        rig.source().execute("INSERT INTO p VALUES (1, 1), (2, 1)", "INSERT INTO c VALUES (1, 1), (2, 2)");
        rig.placeX();
        rig.copy("c", "TRUE");
        rig.source().execute("UPDATE p SET v = 2", "DELETE FROM c WHERE id = 2", "DELETE FROM p WHERE id = 2");
        rig.copy("p", "TRUE");
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual("p", "c");
    }

    @Test
    void randomHistoriesWithRandomChunksAreExact() throws SQLException {
        List<String> tables = histories();
        rig.replay(ReplayRig.OVERWRITE);
        rig.assertEqual(tables.toArray(String[]::new));
    }

    @Test
    void theSameHistoriesAreExactByAFileThatIsLoadedOnceOrTwice() throws SQLException, IOException {
        for (int times = 1; times <= 2; times++) {
            List<String> tables = histories();
            assertEquals(Set.of(), rig.replayByFile(x, ReplayRig.OVERWRITE, times));
            rig.assertEqual(tables.toArray(String[]::new));
        }
    }

    @Test
    void aFileHasNoStatementOfTheStreamAndNamesWhatItChanges() throws SQLException, IOException {
        rig.begin(
                "CREATE TABLE altered (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE renamed (id INT PRIMARY KEY)");
        rig.source().execute("INSERT INTO t VALUES (1, 1)", "INSERT INTO altered VALUES (1, 1)");
        GtidSet before = rig.executed();
        rig.place(before);
        rig.copy("t", "TRUE");
        rig.copy("altered", "TRUE");
        rig.source()
                .execute(
                        "UPDATE t SET v = 2, id = 2",
                        "ALTER TABLE altered ADD w INT",
                        "INSERT INTO altered VALUES (2, 2, 2)",
                        "CREATE USER IF NOT EXISTS somebody IDENTIFIED BY 'x'",
                        "CREATE VIEW v AS SELECT 1 AS one");
        assertEquals(Set.of(new TableName("d", "altered")), rig.replayByFile(before, ReplayRig.OVERWRITE, 1));
        assertEquals(Set.of(new TableName("d", "altered")), rig.dirty());
        assertEquals(before.count() + 5, rig.lastDefinition());
        assertTrue(rig.leftOut().toString().contains("CREATE USER"), rig.leftOut()::toString);
        assertEquals("[{id=1, v=1}]", ReplayRig.rows(rig.target(), "altered"));
        rig.assertEqual("t");
        rig.source().execute("DROP USER somebody", "DROP VIEW v");
    }

    private static GtidSet x;

    /** Random changes of many tables with random chunks between them; returns the tables. */
    private static List<String> histories() throws SQLException {
        long seed = Long.getLong("tributary.seed", System.nanoTime());
        System.out.println("seed of the histories: -Dtributary.seed=" + seed);
        Random random = new Random(seed);
        int histories = 200;
        List<String> tables = new ArrayList<>();
        for (int i = 0; i < histories; i++) {
            tables.add("t" + i);
        }
        rig.begin(tables.stream()
                .map(table -> "CREATE TABLE " + table + " (id INT PRIMARY KEY, u INT NOT NULL UNIQUE, w INT UNIQUE)")
                .toArray(String[]::new));
        for (String table : tables) {
            history(random, table, random.nextInt(4), false);
        }
        x = rig.executed();
        rig.placeX();
        for (String table : tables) {
            history(random, table, 1 + random.nextInt(7), true);
        }
        return tables;
    }

    /** Runs random statements, and between them reads each key at a time of its own. */
    private static void history(Random random, String table, int steps, boolean copies) throws SQLException {
        int[] times = random.ints(KEYS + 1, 0, steps + 1).toArray();
        for (int step = 0; step <= steps; step++) {
            for (int key = 1; copies && key <= KEYS; key++) {
                if (times[key] == step) {
                    rig.copy(table, "id = " + key);
                }
            }
            if (step < steps) {
                rig.source().execute(change(random, table));
            }
        }
    }

    private static final int KEYS = 4;

    private static String change(Random random, String table) {
        int key = 1 + random.nextInt(KEYS);
        int u = 1 + random.nextInt(KEYS);
        String w = random.nextInt(3) == 0 ? "NULL" : "" + (1 + random.nextInt(KEYS));
        String where = " WHERE id = " + (1 + random.nextInt(KEYS));
        return switch (random.nextInt(8)) {
            case 0 -> "INSERT IGNORE INTO " + table + " VALUES (" + key + ", " + u + ", " + w + ")";
            case 1 -> "REPLACE INTO " + table + " VALUES (" + key + ", " + u + ", " + w + ")";
            case 2 -> "DELETE FROM " + table + where;
            case 3 -> "UPDATE IGNORE " + table + " SET id = " + key + where;
            case 4 -> "UPDATE IGNORE " + table + " SET u = " + u + where;
            case 5 -> "UPDATE IGNORE " + table + " SET w = " + w + ", u = " + u + where;
            case 6 -> "UPDATE IGNORE " + table + " SET id = id + 1 WHERE id < " + KEYS + " ORDER BY id DESC";
            default -> "UPDATE IGNORE " + table + " SET u = u % " + KEYS + " + 1 ORDER BY u DESC";
        };
    }

    private static String numbers(int from, int to) {
        return "(WITH RECURSIVE s (n) AS (SELECT " + from + " UNION ALL SELECT n + 1 FROM s WHERE n < " + to
                + ") SELECT n FROM s) numbers";
    }
}
