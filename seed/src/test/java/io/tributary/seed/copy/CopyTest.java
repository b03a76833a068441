package io.tributary.seed.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.seed.table.LogicalTable;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies between real servers. */
class CopyTest {
    private static CopyRig rig;

    @BeforeAll
    static void start() {
        rig = new CopyRig();
    }

    @AfterAll
    static void end() {
        rig.close();
    }

    @BeforeEach
    void newDatabase() throws SQLException {
        rig.newDatabase("d");
        rig.shard.execute("SET GLOBAL max_allowed_packet = 67108864");
        rig.target.execute("SET GLOBAL max_allowed_packet = 67108864");
    }

    private static void onShard(String... statements) throws SQLException {
        try (Sql sql = rig.shard.sql()) {
            sql.execute("SET NAMES utf8mb4, sql_mode = '', foreign_key_checks = 0, time_zone = '+00:00'", "USE d");
            sql.execute(statements);
        }
    }

    private static LogicalTable copied(String table) throws SQLException {
        LogicalTable made = rig.table(new TableName("d", table));
        rig.copy(new CopyConfig(2, 2, 0, 0, 4096)).copy(List.of(made), CopyListener.NONE);
        rig.assertSame(made);
        try {
            rig.copyThroughFiles(made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rig.assertSame(made);
        return made;
    }

    @Test
    void everyTypeIsCopiedExactly() throws SQLException {
        onShard(
                "CREATE TABLE n (id INT PRIMARY KEY, a TINYINT, b SMALLINT UNSIGNED, c MEDIUMINT, e BIGINT UNSIGNED, f FLOAT,"
                        + " g DOUBLE, h DOUBLE(10,2), i FLOAT(7,3), j DECIMAL(65,30), k BIT(64), l BIT(1), z INT(6) ZEROFILL,"
                        + " y YEAR, en ENUM('','a','b''\\\\'), st SET('x','y','z'))",
                "INSERT INTO n VALUES (-2147483648,-128,0,-8388608,0,-3.4028234663852886e38,-1.7976931348623157e308,-99999999.99,"
                        + "-9999.999,-99999999999999999999999999999999999.999999999999999999999999999999,b'0',b'0',1,0,'','')",
                "INSERT INTO n VALUES (2147483647,127,65535,8388607,18446744073709551615,3.4028234663852886e38,"
                        + "1.7976931348623157e308,99999999.99,9999.999,99999999999999999999999999999999999.999999999999999999999999999999,"
                        + "18446744073709551615,b'1',999999,2155,'b''\\\\','x,z')",
                "INSERT INTO n VALUES (0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL)",
                "INSERT INTO n VALUES (1,-1,1,1,1,-0e0,-0e0,-0e0,0.1,-0.1,1,1,1,1901,'nothing','y')",
                "INSERT INTO n VALUES (2,-1,1,1,1,1e-45,4.9e-324,0.1,1.1,0.000000000000000000000000000001,255,1,1,2000,'a','x,y,z')",
                "INSERT INTO n VALUES (3,-1,1,1,1,16777217,9007199254740993,3.3,1.001,1e30,255,1,1,2000,'',0)",
                "UPDATE n SET en = 0 WHERE id = 1",
                "CREATE TABLE s (id SET('" + manyMembers() + "') PRIMARY KEY)",
                "INSERT INTO s VALUES (18446744073709551615), (0), (9223372036854775807), (1)");
        copied("n");
        copied("s");
        assertEquals("0", rig.target.text("SELECT en+0 FROM d.n WHERE id = 1"));
        assertEquals("-0", rig.target.text("SELECT CONCAT(g) FROM d.n WHERE id = 1"));
    }

    private static String manyMembers() {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            members.add("m" + i);
        }
        return String.join("','", members);
    }

    @Test
    void timesAndTextsAreCopiedExactly() throws SQLException {
        onShard(
                "CREATE TABLE t (id INT PRIMARY KEY, a DATE, b DATETIME(6), c TIMESTAMP(6) NULL, e TIME(6), f TIMESTAMP NOT NULL"
                        + " DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)",
                "INSERT INTO t VALUES (1,'0000-00-00','0000-00-00','0000-00-00','-838:59:59','0000-00-00')",
                "INSERT INTO t VALUES (2,'9999-12-31','9999-12-31 23:59:59.999999','2038-01-19 03:14:07.999999','838:59:59','2038-01-19 03:14:07')",
                "INSERT INTO t VALUES (3,'2020-00-00','2020-01-00 01:02:03.000001','1970-01-01 00:00:01','-00:00:00.000001','2000-01-01')",
                "SET sql_mode = 'ALLOW_INVALID_DATES'",
                "INSERT INTO t VALUES (4,'2021-02-31','2021-04-31 00:00:00',NULL,'00:00:00','2000-01-01')",
                "CREATE TABLE x (id VARBINARY(40) PRIMARY KEY, a VARCHAR(300) CHARACTER SET latin1, b VARCHAR(100) CHARACTER SET utf16,"
                        + " c VARCHAR(100) CHARACTER SET gbk, e TEXT CHARACTER SET utf8mb4, f LONGBLOB, g BINARY(4), h CHAR(5)"
                        + " CHARACTER SET utf8mb3, i JSON, j GEOMETRY, k POINT SRID 4326, l VARCHAR(10) CHARACTER SET ucs2, m TEXT"
                        + " CHARACTER SET utf32, o VARCHAR(20) CHARACTER SET sjis, p TEXT CHARACTER SET gb18030, q CHAR(3) CHARACTER SET binary)",
                "INSERT INTO x VALUES (x'00', _latin1 x'" + allBytes()
                        + "', _utf16 x'D83DDE0000270041005C', _gbk x'815C275C', '😀''\\\\\\n\\0',"
                        + " x'" + allBytes()
                        + "', x'00', 'é', '{\"a\": [1.0, \"\\\\u0000\\\\\\\\\\'\", null, 12345678901234567890, \"😀\"]}',"
                        + " ST_GeomFromText('LINESTRING(0 0, 1 1)'), ST_GeomFromText('POINT(1 2)', 4326), _ucs2 x'005C0027', '😀', _sjis x'835C',"
                        + " _gb18030 x'81308130815C', x'5c275c')",
                "INSERT INTO x (id) VALUES (x''), (x'27'), (x'5c5c27')",
                "INSERT INTO x (id, a, b, c, e, f, g, h, i) VALUES ('e','','','','','','','','\"\"')");
        copied("t");
        copied("x");
    }

    private static String allBytes() {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < 256; i++) {
            hex.append(String.format("%02x", i));
        }
        return hex.toString();
    }

    @Test
    void keysOfEveryTypeAreReadInSmallChunks() throws SQLException {
        List<String> keys = List.of(
                "BIGINT UNSIGNED",
                "DECIMAL(20,4)",
                "FLOAT",
                "DOUBLE",
                "DATETIME(3)",
                "TIMESTAMP(6)",
                "DATE",
                "TIME(2)",
                "YEAR",
                "VARBINARY(20)",
                "BINARY(8)",
                "VARCHAR(20) CHARACTER SET latin1",
                "VARCHAR(20) COLLATE utf8mb4_0900_ai_ci",
                "VARCHAR(20) COLLATE utf8mb4_bin",
                "CHAR(20) CHARACTER SET utf16",
                "VARCHAR(20) CHARACTER SET gbk",
                "CHAR(10) CHARACTER SET utf8mb3 COLLATE utf8mb3_german2_ci",
                "BIT(40)",
                "ENUM('c','b','a','10','9')",
                "SET('c','b','a')");
        for (String type : keys) {
            onShard("DROP TABLE IF EXISTS k", "CREATE TABLE k (a " + type + ", b INT, PRIMARY KEY (a, b DESC))");
            onShard(
                    "SET SESSION cte_max_recursion_depth = 5000",
                    "INSERT IGNORE INTO k WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT "
                            + keyValue(type) + ", i % 7 - 3 FROM n");
            rig.target.execute("DROP TABLE IF EXISTS d.k", "DROP DATABASE IF EXISTS tributary_seed");
            LogicalTable made = rig.table(new TableName("d", "k"));
            String rows = rig.shard.text("SELECT COUNT(*) FROM d.k");
            assertTrue(Integer.parseInt(rows) > 20, type + ": " + rows);
            rig.copyInChunks(made, 7);
            rig.assertSame(made);
        }
    }

    private static String keyValue(String type) {
        if (type.startsWith("DATETIME") || type.startsWith("TIMESTAMP")) {
            return "IF(i = 0, '0000-00-00', '2020-01-01' + INTERVAL i * 12345.678901 SECOND)";
        }
        if (type.startsWith("DATE")) {
            return "IF(i = 0, '0000-00-00', '2020-01-01' + INTERVAL i DAY)";
        }
        if (type.startsWith("TIME")) {
            return "SEC_TO_TIME(i * 1000.25 - 200000)";
        }
        if (type.startsWith("YEAR")) {
            return "IF(i < 10, 0, 1901 + i DIV 2)";
        }
        if (type.startsWith("DECIMAL") || type.startsWith("FLOAT") || type.startsWith("DOUBLE")) {
            return "(i - 200) / 7e0";
        }
        if (type.startsWith("ENUM") || type.startsWith("SET")) {
            return "i % 6";
        }
        return type.startsWith("B")
                ? "i * 1000"
                : "CONCAT(CHAR(65 + i % 26 + 32 * (i % 2)), i DIV 3, IF(i % 5, '', ' '), IF(i % 11, '', 'ß'))";
    }

    @Test
    void oddNamesGeneratedColumnsForeignKeysAndEmptyTables() throws SQLException {
        onShard(
                "CREATE TABLE `select ``from`` wörld'\\\\`"
                        + " (`or``der` INT, `a b` VARCHAR(9), `日本` INT AS (`or``der` * 2) STORED,"
                        + " `v` INT AS (1) VIRTUAL, `hid` INT INVISIBLE, `CAST(t.``e`` AS UNSIGNED)` INT, PRIMARY KEY (`日本`, `a b`))",
                "INSERT INTO `select ``from`` wörld'\\\\` (`or``der`, `a b`, `hid`) VALUES (1,'x',5),(2,'',NULL),(-3,'zz',7)",
                "CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id))",
                "INSERT INTO child VALUES (1, 4), (2, NULL)",
                "CREATE TABLE parent (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY)",
                "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
                "INSERT INTO parent VALUES (4), (0)",
                "CREATE TABLE nothing (id INT PRIMARY KEY)",
                "SET sql_generate_invisible_primary_key = ON",
                "CREATE TABLE bare (v INT)",
                "INSERT INTO bare VALUES (1), (1)");
        for (String table : List.of("select `from` wörld'\\\\", "child", "parent", "nothing", "bare")) {
            copied(table);
        }
        assertEquals("7", rig.target.text("SELECT MAX(hid) FROM d.`select ``from`` wörld'\\\\`"));
        assertEquals("2", rig.target.text("SELECT MAX(my_row_id) FROM d.bare"));
    }

    @Test
    void theFirstChunkIsSmallWhateverTheStatistics() throws SQLException {
        onShard(
                "CREATE TABLE fresh (id INT PRIMARY KEY, b VARCHAR(2000))",
                "SELECT TABLE_ROWS, AVG_ROW_LENGTH FROM information_schema.TABLES WHERE TABLE_NAME = 'fresh'",
                "SET cte_max_recursion_depth = 5000",
                "INSERT INTO fresh WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                        + " SELECT i, REPEAT('b', 2000) FROM n");
        assertEquals(
                "0", rig.shard.text("SELECT AVG_ROW_LENGTH FROM information_schema.TABLES WHERE TABLE_NAME = 'fresh'"));
        rig.shard.execute("SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON");
        try {
            copied("fresh");
        } finally {
            rig.shard.execute("SET GLOBAL general_log = OFF");
        }
        assertEquals(
                "1000",
                rig.shard.text(
                        "SELECT SUBSTRING_INDEX(CONVERT(argument USING utf8mb4), ' LIMIT ', -1) FROM mysql.general_log"
                                + " WHERE argument LIKE '%`fresh`% LIMIT %' ORDER BY event_time LIMIT 1"));
    }

    @Test
    void longRowsAreCopiedIfTheTargetAcceptsThem() throws SQLException {
        onShard(
                "CREATE TABLE l (id INT PRIMARY KEY, b LONGBLOB)",
                "INSERT INTO l VALUES (1, 'x'), (2, REPEAT('''a', 10485760)), (3, 'y'), (4, REPEAT('b', 2000000))");
        LogicalTable table = copied("l");
        rig.target.execute(
                "SET GLOBAL max_allowed_packet = 16777216", "DROP DATABASE tributary_seed", "TRUNCATE TABLE d.l");
        TributaryException failed = assertThrows(
                TributaryException.class, () -> rig.copy(CopyConfig.of(1)).copy(List.of(table), CopyListener.NONE));
        assertEquals(ErrorCode.TARGET_UNFIT, failed.code());
        assertTrue(
                failed.getMessage().contains("d.l after the key (1)")
                        && failed.getMessage().contains("SET GLOBAL max_allowed_packet = 33554432"),
                failed.getMessage());
        rig.target.execute("SET GLOBAL max_allowed_packet = 33554432");
        rig.copy(CopyConfig.of(1)).copy(List.of(table), CopyListener.NONE);
        rig.assertSame(table);
    }

    @Test
    void aValueThatTheTargetWouldChangeIsAnError() throws SQLException {
        onShard(
                "CREATE TABLE w (id INT PRIMARY KEY, v VARCHAR(10), e ENUM('a','b'))",
                "INSERT INTO w VALUES (1,'12345678','b'), (2, 'x', 0)");
        LogicalTable made = rig.table(new TableName("d", "w"));
        rig.target.execute("ALTER TABLE d.w MODIFY v VARCHAR(5)");
        TributaryException failed = assertThrows(
                TributaryException.class, () -> rig.copy(CopyConfig.of(1)).copy(List.of(made), CopyListener.NONE));
        assertEquals(ErrorCode.SEED_FAILED, failed.code());
        assertTrue(failed.getMessage().contains("d.w") && failed.getMessage().contains("'v'"), failed.getMessage());
        assertEquals("0", rig.target.text("SELECT COUNT(*) FROM d.w"));
        onShard("DELETE FROM w WHERE id = 2");
        failed = assertThrows(
                TributaryException.class, () -> rig.copy(CopyConfig.of(1)).copy(List.of(made), CopyListener.NONE));
        assertEquals(ErrorCode.TARGET_FAILED, failed.code());
        assertTrue(failed.getMessage().contains("Data too long"), failed.getMessage());
    }
}
