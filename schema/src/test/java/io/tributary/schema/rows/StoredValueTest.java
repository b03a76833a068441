package io.tributary.schema.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares defaults of new columns with the values that ADD COLUMN on a real server gives to rows. */
class StoredValueTest {
    private static final int GROUP = 16;

    /** Definitions with literals of their defaults; an empty literal = no default. */
    static final List<List<String>> DEFAULTS = List.of(
            List.of("TINYINT", "-5"),
            List.of("TINYINT NOT NULL", ""),
            List.of("TINYINT UNSIGNED", "255"),
            List.of("SMALLINT", "'-12'"),
            List.of("MEDIUMINT NOT NULL", "8388607"),
            List.of("MEDIUMINT UNSIGNED NOT NULL", ""),
            List.of("INT", "NULL"),
            List.of("INT", ""),
            List.of("INT", "TRUE"),
            List.of("INT NOT NULL", "false"),
            List.of("INT", "1.5"),
            List.of("INT", "-2.5"),
            List.of("INT", "x'0A'"),
            List.of("INT", "0x0b"),
            List.of("INT", "b'101'"),
            List.of("BIGINT", "-9223372036854775808"),
            List.of("BIGINT UNSIGNED", "18446744073709551615"),
            List.of("BIGINT", "1e3"),
            List.of("DECIMAL(10,2)", "-1.5"),
            List.of("DECIMAL(10,2) NOT NULL", ""),
            List.of("DECIMAL(65,30)", "12345678901234567890.123456789"),
            List.of("DECIMAL(5,0)", "'-7'"),
            List.of("DECIMAL(9,9) NOT NULL", "0"),
            List.of("FLOAT", "1.1"),
            List.of("FLOAT NOT NULL", ""),
            List.of("DOUBLE", "-1e10"),
            List.of("DOUBLE", "'0.1'"),
            List.of("DOUBLE NOT NULL", ".5"),
            List.of("YEAR", "2020"),
            List.of("YEAR", "'70'"),
            List.of("YEAR", "5"),
            List.of("YEAR", "0"),
            List.of("YEAR", "'0'"),
            List.of("YEAR NOT NULL", ""),
            List.of("BIT(9)", "b'100000001'"),
            List.of("BIT(12)", "5"),
            List.of("BIT(64) NOT NULL", "x'ff00ff00ff00ff00'"),
            List.of("BIT(3) NOT NULL", ""),
            List.of("CHAR(5)", "'ab  '"),
            List.of("CHAR(100)", "'a''b\\\\c\\n'"),
            List.of("CHAR(5) NOT NULL", ""),
            List.of("VARCHAR(10)", "'ab  '"),
            List.of("VARCHAR(10)", "5"),
            List.of("VARCHAR(10)", "-1.50"),
            List.of("VARCHAR(10)", "x'6162'"),
            List.of("VARCHAR(10)", "TRUE"),
            List.of("VARCHAR(10)", "\"q\""),
            List.of("VARCHAR(300) NOT NULL", ""),
            List.of("VARCHAR(300) NOT NULL", "''"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb4", "'\u00e4\u20ac\ud83d\ude00'"),
            List.of("VARCHAR(20) CHARACTER SET latin1", "'\u00e4\u20ac'"),
            List.of("VARCHAR(20) CHARACTER SET utf16", "'\u00e4\u20ac\ud83d\ude00'"),
            List.of("CHAR(20) CHARACTER SET utf32", "'\u00e4 '"),
            List.of("VARCHAR(20) CHARACTER SET gbk", "'\u4e2d\u6587'"),
            List.of("VARCHAR(20) CHARACTER SET gb18030", "'\u4e2d\u00e4\ud83d\ude00'"),
            List.of("VARCHAR(20) CHARACTER SET ujis", "'\u65e5\u672c'"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb4", "N'x'"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb4", "_utf8mb4'x'"),
            List.of("BINARY(5)", "'ab'"),
            List.of("BINARY(4)", "x'6100'"),
            List.of("BINARY(4) NOT NULL", ""),
            List.of("VARBINARY(10)", "x'00ff00'"),
            List.of("VARBINARY(10) NOT NULL", ""),
            List.of("ENUM('a','b')", "'B'"),
            List.of("ENUM('a','b') NOT NULL", ""),
            List.of("ENUM('a','b')", ""),
            List.of("SET('a','b','c')", "'c,a'"),
            List.of("SET('a','b','c')", "''"),
            List.of("SET('a','b','c') NOT NULL", ""),
            List.of("DATE", "'2020-1-2'"),
            List.of("DATE", "20200102"),
            List.of("DATE", "'20200102'"),
            List.of("DATE", "'99-1-2'"),
            List.of("DATE NOT NULL", ""),
            List.of("DATETIME", "'2020-01-02 03:04:05.6'"),
            List.of("DATETIME", "'2020-12-31 23:59:59.5'"),
            List.of("DATETIME(3)", "'2020-01-02 03:04:05.6789'"),
            List.of("DATETIME(6)", "'2020-01-02 03:04:05.1234565'"),
            List.of("DATETIME", "20200102030405"),
            List.of("DATETIME", "'2020-01-02'"),
            List.of("DATETIME(1) NOT NULL", ""),
            List.of("DATETIME NOT NULL", "'0000-00-00 00:00:00'"),
            List.of("TIME", "'-12:34:56.7'"),
            List.of("TIME(2)", "'-12:34:56.789'"),
            List.of("TIME(6)", "'838:59:58.999999'"),
            List.of("TIME", "123456"),
            List.of("TIME", "'2 3:4'"),
            List.of("TIME(3) NOT NULL", ""),
            List.of("TIMESTAMP NULL", "'2020-01-02 03:04:05'"),
            List.of("TIMESTAMP(3) NULL", "'2020-01-02 03:04:05.0005'"),
            List.of("TIMESTAMP(4) NOT NULL", "'0000-00-00 00:00:00'"),
            List.of("TIMESTAMP NULL", ""),
            List.of("TINYTEXT NOT NULL", ""),
            List.of("TEXT NOT NULL", ""),
            List.of("LONGBLOB NOT NULL", ""),
            List.of("TEXT", ""),
            List.of("JSON", ""),
            List.of("JSON NOT NULL", ""),
            List.of("POINT", ""),
            List.of("TIMESTAMP NULL", "CURRENT_TIMESTAMP"),
            List.of("TIMESTAMP(3) NOT NULL", "CURRENT_TIMESTAMP(3)"),
            List.of("DATETIME", "CURRENT_TIMESTAMP"),
            List.of("DATETIME(6)", "CURRENT_TIMESTAMP(6)"),
            List.of("DATETIME(6)", "(now(2))"),
            List.of("DATETIME NOT NULL", "(NOW(6))"),
            List.of("DATE", "(CURRENT_DATE)"),
            List.of("DATE NOT NULL", "(now())"),
            List.of("VARCHAR(40)", "(now(3))"),
            List.of("INT", "(42)"),
            List.of("DECIMAL(8,2)", "(-1.5)"),
            List.of("VARCHAR(10)", "('it''s')"),
            List.of("VARCHAR(10) NOT NULL", "(_latin1'abc')"),
            List.of("TEXT", "('a text')"),
            List.of("TINYTEXT NOT NULL", "('')"),
            List.of("LONGTEXT", "('long')"),
            List.of("MEDIUMBLOB", "('bytes')"),
            List.of("JSON", "(json_object())"),
            List.of("JSON NOT NULL", "(JSON_ARRAY())"),
            List.of("VARCHAR(40)", "(NULL)"));

    @Test
    void rowsGetTheDefaultThatAddColumnGivesThem() throws SQLException {
        List<String> problems = new ArrayList<>();
        try (MysqlServer server = MysqlServer.start(MysqlOptions.named("defaults"));
                Sql sql = server.sql()) {
            sql.execute("CREATE DATABASE d", "USE d");
            RowReshaper reshaper = new RowReshaper();
            for (int from = 0; from < DEFAULTS.size(); from += GROUP) {
                check(server, sql, reshaper, DEFAULTS.subList(from, Math.min(from + GROUP, DEFAULTS.size())), problems);
            }
        }
        assertEquals(List.of(), problems);
    }

    /** Checks all at once; if that fails, one by one. */
    private static void check(
            MysqlServer server, Sql sql, RowReshaper reshaper, List<List<String>> defaults, List<String> problems) {
        try {
            table(defaults).check(server, sql, reshaper);
        } catch (SQLException | AssertionError e) {
            if (defaults.size() == 1) {
                problems.add(defaults + ": " + e.getMessage());
                return;
            }
            int half = defaults.size() / 2;
            check(server, sql, reshaper, defaults.subList(0, half), problems);
            check(server, sql, reshaper, defaults.subList(half, defaults.size()), problems);
        }
    }

    private static AlteredTable table(List<List<String>> defaults) {
        Map<String, String> added = new LinkedHashMap<>();
        List<String> items = new ArrayList<>();
        for (int i = 0; i < defaults.size(); i++) {
            String literal = defaults.get(i).get(1);
            added.put("n" + i, literal);
            items.add(
                    "ADD COLUMN n" + i + " " + defaults.get(i).get(0) + (literal.isEmpty() ? "" : " DEFAULT " + literal)
                            + (i % 3 == 0 ? " FIRST" : i % 3 == 1 ? " AFTER id" : ""));
        }
        return new AlteredTable(
                "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))",
                List.of("INSERT INTO t VALUES (0, 'a')", "INSERT INTO t VALUES (1, NULL)"),
                "ALTER TABLE t " + String.join(", ", items),
                Map.of(),
                added);
    }

    @Test
    void aDefaultThatIsNotALiteralIsUnknown() {
        TableShape shape = HandmadeMap.of(HandmadeMap.column("a", ColumnType.MYSQL_TYPE_LONG));
        for (String text : List.of("CURRENT_TIMESTAMP", "(uuid())", "(1 + 1)", "now()", "abc", "", "'12' + 1")) {
            assertInstanceOf(AddedValue.Unknown.class, StoredValue.of(text, false, shape, 0, Optional.empty()), text);
        }
        assertEquals(AddedValue.NULL, StoredValue.of("", true, shape, 0, Optional.empty()));
        AddedValue.Stored stored =
                assertInstanceOf(AddedValue.Stored.class, StoredValue.of("-2", false, shape, 0, Optional.empty()));
        assertEquals(ByteBuffer.wrap(new byte[] {-2, -1, -1, -1}), ByteBuffer.wrap(stored.bytes()));
    }
}
