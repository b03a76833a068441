package io.tributary.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what is read of the transactions and statements of a real server. */
class ChangeInputTest {
    private static ChangeSource source;

    private GtidSet before;

    @BeforeAll
    static void start() {
        source = new ChangeSource(MysqlRelease.MYSQL_8_0_31);
    }

    @AfterAll
    static void stop() {
        source.close();
    }

    @BeforeEach
    void begin() throws SQLException {
        try (Sql sql = source.server().sql()) {
            sql.execute("DROP DATABASE IF EXISTS d", "CREATE DATABASE d");
        }
        before = source.executed();
    }

    private static void execute(String... statements) throws SQLException {
        try (Sql sql = source.server().sql()) {
            sql.execute("USE d").execute(statements);
        }
    }

    private ReadRows read() throws SQLException {
        return source.read(before);
    }

    private List<String> rows() throws SQLException {
        return read().rows().stream().map(ReadRow::toString).toList();
    }

    private void assertRefused(String... parts) {
        TributaryException error = assertThrows(TributaryException.class, this::read);
        assertEquals(ErrorCode.REPLAY_FAILED, error.code(), error.getMessage());
        for (String part : parts) {
            assertTrue(error.getMessage().contains(part), error.getMessage());
        }
    }

    @Test
    void rowsOfInsertUpdateAndDeleteAreRead() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10))",
                "INSERT INTO t VALUES (1, 'a'), (2, NULL)",
                "UPDATE t SET v = 'b', id = id + 10 WHERE id = 2",
                "DELETE FROM t WHERE id = 1",
                "REPLACE INTO t VALUES (12, 'c')");
        assertEquals(
                List.of(
                        "INSERT d.t {id=1, v=a}",
                        "INSERT d.t {id=2, v=null}",
                        "UPDATE d.t {id=2, v=null} {id=12, v=b}",
                        "DELETE d.t {id=1, v=a}",
                        "UPDATE d.t {id=12, v=b} {id=12, v=c}"),
                rows());
    }

    @Test
    void aStatementThatChangesSeveralTablesIsReadInItsOrder() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE b (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, v INT)",
                "CREATE TRIGGER added AFTER INSERT ON a FOR EACH ROW INSERT INTO log (v) VALUES (NEW.id)",
                "INSERT INTO a VALUES (1, 1), (2, 2)",
                "INSERT INTO b VALUES (1, 1)",
                "UPDATE a, b SET a.v = 5, b.v = 6 WHERE a.id = b.id",
                "DELETE a, b FROM a JOIN b ON a.id = b.id");
        List<String> rows = rows();
        assertEquals(9, rows.size(), rows.toString());
        assertEquals(
                List.of("INSERT d.a {id=1, v=1}", "INSERT d.a {id=2, v=2}"),
                rows.stream().filter(row -> row.startsWith("INSERT d.a")).toList());
        assertEquals(
                List.of("INSERT d.log {id=1, v=1}", "INSERT d.log {id=2, v=2}"),
                rows.stream().filter(row -> row.startsWith("INSERT d.log")).toList());
        assertTrue(rows.contains("UPDATE d.a {id=1, v=1} {id=1, v=5}"), rows.toString());
        assertTrue(rows.contains("DELETE d.b {id=1, v=6}"), rows.toString());
    }

    @Test
    void aTransactionEndsWithItsCommit() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "BEGIN",
                "INSERT INTO t VALUES (1)",
                "SAVEPOINT s",
                "INSERT INTO t VALUES (2)",
                "ROLLBACK TO s",
                "INSERT INTO t VALUES (3)",
                "COMMIT",
                "BEGIN",
                "INSERT INTO t VALUES (4)",
                "ROLLBACK");
        ReadRows read = read();
        assertEquals(2, read.transactions.size());
        assertEquals(
                "[INSERT d.t {id=1}, INSERT d.t {id=3}]",
                read.transactions.get(1).rows().toString());
        assertTrue(read.transactions.get(1).begin().committedMicros() > 1_000_000_000_000_000L);
    }

    @Test
    void theDefinitionFollowsStatementsBetweenRows() throws SQLException {
        execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 1)");
        ReadRows first = read();
        before = source.executed();
        execute("ALTER TABLE t ADD COLUMN w VARCHAR(5) FIRST, MODIFY v INT UNSIGNED");
        ReadRows altered = read();
        before = source.executed();
        execute("INSERT INTO t VALUES ('x', 2, 4294967295)");
        ReadRows second = read();
        assertEquals("INSERT d.t {id=1, v=1}", first.rows().get(0).toString());
        assertEquals(
                "ALTER TABLE", altered.transactions.get(0).statements().get(0).verb());
        assertEquals(
                List.of("w", "id", "v"),
                altered.transactions.get(0).statements().get(0).tables().get(0).columns().stream()
                        .map(column -> column.name())
                        .toList());
        assertEquals(
                "INSERT d.t {w=x, id=2, v=4294967295}", second.rows().get(0).toString());
    }

    /** The definitions that this server has are those of now; its table maps name the columns. */
    @Test
    void rowsBeforeASchemaChangeAreReadByTheNamesInTheirTableMap() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, v INT, e ENUM('a','b'), s VARCHAR(5) CHARACTER SET latin1, n INT UNSIGNED,"
                        + " d DECIMAL(9,2), b BIT(9), y YEAR, j JSON, x VARBINARY(3), g POINT, m SET('p','q'), f FLOAT, o DATETIME(3))",
                "INSERT INTO t VALUES (1, -1, 'b', _latin1 X'e9', 4294967295, 1.50, 257, 2024, '[1]', X'00ff',"
                        + " ST_GeomFromText('POINT(1 2)'), 'p,q', 1.5, '2024-01-02 03:04:05.678')",
                "UPDATE t SET n = 5",
                "ALTER TABLE t DROP COLUMN v, MODIFY n INT, MODIFY e ENUM('b','c'), MODIFY s VARCHAR(5) CHARACTER SET utf8mb4",
                "INSERT INTO t (id, e, s, n) VALUES (2, 'c', _utf8mb4 X'c3a9', -1)",
                "ALTER TABLE t RENAME COLUMN n TO v",
                "INSERT INTO t (id, v) VALUES (3, 7)",
                "DROP TABLE t",
                "CREATE TABLE t (other TEXT)",
                "INSERT INTO t VALUES ('z')");
        List<ReadRow> rows = read().rows();
        assertEquals(
                "INSERT d.t {id=1, v=-1, e=b, s=\u00e9, n=4294967295, d=1.50, b=257, y=2024, j=[1], x=00FF,"
                        + " g=000000000101000000000000000000F03F0000000000000040, m=p,q, f=1.5, o=2024-01-02 03:04:05.678}",
                rows.get(0).toString());
        assertEquals(List.of("id"), names(rows.get(0).table().handle()));
        assertEquals("-1", rows.get(2).after().get("n"));
        assertEquals("c", rows.get(2).after().get("e"));
        assertEquals("\u00e9", rows.get(2).after().get("s"));
        assertEquals("7", rows.get(3).after().get("v"));
        assertEquals("INSERT d.t {other=z}", rows.get(4).toString());
    }

    private static List<String> names(List<ChangeColumn> columns) {
        return columns.stream().map(ChangeColumn::name).toList();
    }

    @Test
    void aTableKeepsItsVersionUntilAStatementChangesIt() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "CREATE TABLE u (id INT PRIMARY KEY)",
                "INSERT INTO t VALUES (1)",
                "INSERT INTO u VALUES (1)",
                "INSERT INTO t VALUES (2)",
                "ALTER TABLE u ADD KEY (id)",
                "INSERT INTO t VALUES (3)",
                "ALTER TABLE t ADD KEY (id)",
                "INSERT INTO t VALUES (4)");
        List<ChangeTable> tables = read().rows().stream().map(ReadRow::table).toList();
        assertSame(tables.get(0), tables.get(2));
        assertSame(tables.get(0), tables.get(3));
        assertNotSame(tables.get(0), tables.get(4));
        assertNotEquals(tables.get(0).version(), tables.get(4).version());
        assertNotEquals(tables.get(0).version(), tables.get(1).version());
    }

    @Test
    void renamedTablesAndTablesMadeOfASelectAreRead() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "INSERT INTO t VALUES (1)",
                "CREATE TABLE made (PRIMARY KEY (id)) AS SELECT id, 'x' AS c FROM t",
                "RENAME TABLE t TO old, made TO t",
                "INSERT INTO t VALUES (2, 'y')",
                "INSERT INTO old VALUES (3)",
                "CREATE TABLE liked LIKE t",
                "INSERT INTO liked SELECT * FROM t",
                "TRUNCATE TABLE t");
        ReadRows read = read();
        assertEquals(
                List.of(
                        "INSERT d.t {id=1}",
                        "INSERT d.made {id=1, c=x}",
                        "INSERT d.t {id=2, c=y}",
                        "INSERT d.old {id=3}",
                        "INSERT d.liked {id=1, c=x}",
                        "INSERT d.liked {id=2, c=y}"),
                read.rows().stream().map(ReadRow::toString).toList());
        ReadTransaction made = read.transactions.get(2);
        assertEquals("CREATE TABLE", made.statements().get(0).verb());
        assertEquals(1, made.rows().size());
    }

    @Test
    void temporaryTablesHaveNoRows() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "CREATE TEMPORARY TABLE own (id INT)",
                "INSERT INTO own VALUES (1)",
                "INSERT INTO t SELECT id FROM own",
                "DROP TEMPORARY TABLE own");
        assertEquals(List.of("INSERT d.t {id=1}"), rows());
    }

    @Test
    void generatedAndInvisibleColumnsAndTablesWithoutKeysAreRead() throws SQLException {
        execute(
                "CREATE TABLE t (a INT, v INT AS (a + 1) VIRTUAL, s INT AS (a * 2) STORED, i INT DEFAULT 9 INVISIBLE)",
                "INSERT INTO t (a) VALUES (1), (1)",
                "UPDATE t SET a = 2 LIMIT 1",
                "SET sql_generate_invisible_primary_key = ON",
                "CREATE TABLE gipk (a INT)",
                "INSERT INTO gipk VALUES (5)");
        List<ReadRow> rows = read().rows();
        assertEquals("INSERT d.t {a=1, v=2, s=2, i=9}", rows.get(0).toString());
        assertEquals(
                "UPDATE d.t {a=1, v=2, s=2, i=9} {a=2, v=3, s=4, i=9}",
                rows.get(2).toString());
        assertEquals(List.of(), rows.get(0).table().handle());
        assertEquals("INSERT d.gipk {my_row_id=1, a=5}", rows.get(3).toString());
        assertEquals(List.of("my_row_id"), names(rows.get(3).table().handle()));
    }

    @Test
    void theHandleIsThePrimaryKeyOrTheShortestUniqueKeyWithoutNulls() throws SQLException {
        execute(
                "CREATE TABLE a (x INT, y INT, z INT, PRIMARY KEY (z, x), UNIQUE (y))",
                "CREATE TABLE b (x INT NOT NULL, y INT NOT NULL, z INT NOT NULL, n INT, UNIQUE (n), UNIQUE (x, y), UNIQUE (z))",
                "CREATE TABLE c (x VARCHAR(20) NOT NULL, y INT, UNIQUE (x(5)), UNIQUE (y), UNIQUE ((x + 1)))",
                "INSERT INTO a VALUES (1, 1, 1)",
                "INSERT INTO b VALUES (1, 1, 1, 1)",
                "INSERT INTO c VALUES (1, 1)");
        List<ReadRow> rows = read().rows();
        assertEquals(List.of("z", "x"), names(rows.get(0).table().handle()));
        assertEquals(List.of("z"), names(rows.get(1).table().handle()));
        assertEquals(List.of(), names(rows.get(2).table().handle()));
    }

    @Test
    void placesAreThoseOfTheServer() throws SQLException {
        execute("CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)");
        for (int i = 0; i < 12; i++) {
            execute("INSERT INTO t VALUES (" + i + ", REPEAT('x', " + 1000 * i + "))");
            if (i % 4 == 3) {
                execute("FLUSH BINARY LOGS");
            }
        }
        try (Sql sql = source.server().sql()) {
            for (ReadTransaction one : source.read(source.executed().minus(last(5))).transactions) {
                requirePlace(sql, one);
            }
            List<ReadTransaction> all = read().transactions;
            assertEquals(
                    13,
                    all.stream()
                            .filter(one ->
                                    !one.rows().isEmpty() || !one.statements().isEmpty())
                            .count());
            for (ReadTransaction one : all) {
                requirePlace(sql, one);
            }
        }
    }

    /** The newest transactions. */
    private static GtidSet last(int count) throws SQLException {
        String uuid = source.server().uuid();
        String all = source.server().gtidExecuted();
        long newest = Long.parseLong(all.substring(all.lastIndexOf('-') + 1));
        return GtidSet.parse(uuid + ":" + (newest - count + 1) + "-" + newest);
    }

    private static void requirePlace(Sql sql, ReadTransaction one) throws SQLException {
        List<Map<String, String>> events = sql.rows("SHOW BINLOG EVENTS IN '"
                + one.begin().file() + "' FROM " + one.begin().position() + " LIMIT 200");
        assertEquals("Gtid", events.get(0).get("Event_type"));
        assertTrue(
                events.get(0).get("Info").contains(one.begin().gtid().toString()),
                events.get(0).toString());
        assertEquals(one.begin().file(), one.file());
        int end = 1;
        while (end < events.size()
                && !events.get(end).get("Event_type").equals("Gtid")
                && !events.get(end).get("Event_type").equals("Rotate")) {
            end++;
        }
        assertEquals(events.get(end - 1).get("End_log_pos"), Long.toString(one.position()));
    }

    @Test
    void aTransactionOfManyEventsIsRead() throws SQLException {
        List<String> statements =
                new ArrayList<>(List.of("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(1000))", "BEGIN"));
        for (int i = 0; i < 20; i++) {
            StringBuilder insert =
                    new StringBuilder("INSERT INTO t VALUES (-").append(i + 1).append(", '')");
            for (int j = 0; j < 500; j++) {
                insert.append(", (").append(500 * i + j).append(", REPEAT('y', 700))");
            }
            statements.add(insert.toString());
        }
        statements.add("UPDATE t SET v = 'z'");
        statements.add("COMMIT");
        execute(statements.toArray(String[]::new));
        ReadRows read = read();
        assertEquals(2, read.transactions.size());
        assertEquals(20_040, read.transactions.get(1).rows().size());
        assertEquals("499", read.transactions.get(1).rows().get(500).after().get("id"));
    }

    @Test
    void rowsOfTablesThatAreNotWantedArePassedOver() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "CREATE TABLE u (id INT PRIMARY KEY)",
                "BEGIN",
                "INSERT INTO t VALUES (1)",
                "INSERT INTO u VALUES (2)",
                "COMMIT");
        ReadRows read = source.read(before, table -> table.table().equals("u"));
        assertEquals("[INSERT d.u {id=2}]", read.rows().toString());
        assertEquals(3, read.transactions.size());
    }

    @Test
    void namesWithSpecialCharactersAreFound() throws SQLException {
        execute(
                "CREATE TABLE `a_b%c'\u00e9\\\\ d` (`x y` INT PRIMARY KEY, `\u4f60` INT)",
                "INSERT INTO `a_b%c'\u00e9\\\\ d` VALUES (1, 2)");
        assertEquals("{x y=1, \u4f60=2}", read().rows().get(0).after().toString());
    }

    // ---- what cannot be read is named

    @Test
    void imagesThatLackColumnsAreRefused() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, v INT, j JSON)",
                "INSERT INTO t VALUES (1, 1, '[1, 2, 3]')",
                "SET binlog_row_image = MINIMAL",
                "UPDATE t SET v = 2");
        assertRefused("d.t", "binlog_row_image=FULL", "UPDATE_ROWS_EVENT");
    }

    @Test
    void partialJsonIsRefused() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, j JSON)",
                "INSERT INTO t VALUES (1, '[1, 2, 3, \"" + "x".repeat(500) + "\"]')",
                "SET binlog_row_value_options = PARTIAL_JSON",
                "UPDATE t SET j = JSON_SET(j, '$[0]', 9)");
        assertRefused("d.t", "binlog_row_value_options=''", "PARTIAL_UPDATE_ROWS_EVENT");
    }

    @Test
    void xaTransactionsOfAServerAreRefused() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "XA START 'x'",
                "INSERT INTO t VALUES (1)",
                "XA END 'x'",
                "XA PREPARE 'x'",
                "XA COMMIT 'x'");
        assertRefused("committed", "found the statement XA");
    }

    @Test
    void compressedTransactionsAreRefused() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, v TEXT)",
                "SET binlog_transaction_compression = ON",
                "INSERT INTO t VALUES (1, REPEAT('x', 5000))");
        assertRefused("TRANSACTION_PAYLOAD_EVENT");
    }

    @Test
    void otherColumnsWithoutNamesAreRefused() throws SQLException {
        try (Sql sql = source.server().sql()) {
            sql.execute("SET GLOBAL binlog_row_metadata = MINIMAL");
            try {
                execute(
                        "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(5))",
                        "INSERT INTO t VALUES (1, -1, 'x')");
                assertEquals(
                        "INSERT d.t {id=1, v=-1, s=x}", read().rows().get(0).toString());
                execute(
                        "UPDATE t SET v = 1",
                        "ALTER TABLE t MODIFY v INT UNSIGNED",
                        "INSERT INTO t VALUES (2, 1, 'y')");
            } finally {
                sql.execute("SET GLOBAL binlog_row_metadata = FULL");
            }
        }
        assertRefused("d.t", "binlog_row_metadata=FULL", "without names");
    }

    @Test
    void aTableOfAnotherServerSettingsIsRead() throws SQLException {
        MysqlServer server = source.server();
        server.execute(
                "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                "SET GLOBAL show_gipk_in_create_table_and_information_schema = OFF");
        try {
            execute(
                    "CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a\\b','it''s') DEFAULT 'a\\b')",
                    "INSERT INTO t VALUES (1, 2), (2, 1)");
            assertEquals("[INSERT d.t {id=1, e=it's}, INSERT d.t {id=2, e=a\\b}]", rows().toString());
        } finally {
            server.execute(
                    "SET GLOBAL sql_mode = DEFAULT",
                    "SET GLOBAL show_gipk_in_create_table_and_information_schema = DEFAULT");
        }
    }

    @Test
    void randomTransactionsGiveTheTable() throws SQLException {
        Random random = new Random(3);
        execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, t VARCHAR(20))");
        try (Sql sql = source.server().sql()) {
            sql.execute("USE d");
            for (int i = 0; i < 200; i++) {
                sql.execute("BEGIN");
                for (int j = random.nextInt(4); j >= 0; j--) {
                    int id = random.nextInt(30);
                    sql.execute(
                            switch (random.nextInt(3)) {
                                case 0 -> "REPLACE INTO t VALUES (" + id + ", " + i + ", 'r" + j + "')";
                                case 1 -> "UPDATE t SET v = v + 1, t = NULL WHERE id < " + id;
                                default -> "DELETE FROM t WHERE id = " + id;
                            });
                }
                sql.execute("COMMIT");
            }
            Map<String, Map<String, String>> table = new java.util.TreeMap<>();
            for (ReadRow row : read().rows()) {
                if (row.before() != null) {
                    assertEquals(row.before(), table.remove(row.before().get("id")));
                }
                if (row.after() != null) {
                    assertEquals(null, table.put(row.after().get("id"), row.after()));
                }
            }
            List<Map<String, String>> expected = new ArrayList<>(sql.rows("SELECT * FROM t ORDER BY CAST(id AS CHAR)"));
            assertEquals(expected.toString(), table.values().toString());
        }
    }
}
