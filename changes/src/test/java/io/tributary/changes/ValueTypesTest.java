package io.tributary.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tributary.common.gtid.GtidSet;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the values of each type against those that the server itself returns for the same rows. */
class ValueTypesTest {
    private static final String SET_64 = IntStream.range(0, 64)
            .mapToObj(i -> "'v" + i + (i == 7 ? " \u00e9''" : "") + "'")
            .collect(Collectors.joining(","));

    /** A type, and literals of its values; each column has NULL too. */
    private static List<List<String>> columns(MysqlRelease release) {
        List<List<String>> all = new ArrayList<>();
        for (String width : List.of("TINYINT 8", "SMALLINT 16", "MEDIUMINT 24", "INT 32", "BIGINT 64")) {
            String name = width.substring(0, width.indexOf(' '));
            BigInteger most = BigInteger.ONE.shiftLeft(Integer.parseInt(width.substring(width.indexOf(' ') + 1)) - 1);
            all.add(List.of(
                    name,
                    most.negate().toString(),
                    "-1",
                    "0",
                    "1",
                    most.subtract(BigInteger.ONE).toString()));
            all.add(List.of(
                    name + " UNSIGNED",
                    "0",
                    "1",
                    most.toString(),
                    most.shiftLeft(1).subtract(BigInteger.ONE).toString()));
            all.add(List.of(name + " ZEROFILL", "0", "7"));
        }
        numbers(all);
        times(all);
        texts(all);
        bytes(all);
        if (!release.isMariadb()) {
            all.add(List.of("BINARY(255)", "REPEAT('x', 255)", "''", "X'00'", "X'0100'"));
        }
        others(all, release);
        return all;
    }

    private static void numbers(List<List<String>> all) {
        String nines = "9".repeat(35) + "." + "9".repeat(30);
        all.add(List.of(
                "DECIMAL(65,30)", nines, "-" + nines, "0", "-0." + "0".repeat(29) + "1", "1000000000", "-123456789.1"));
        for (String type :
                List.of("(1,0)", "(1,1)", "(9,0)", "(10,2)", "(18,9)", "(19,10)", "(30,30)", "(65,0)", "(5,5)")) {
            all.add(List.of("DECIMAL" + type, "0", "0.00001", "-0.9", "0.5"));
        }
        all.add(List.of("DECIMAL(10,2) UNSIGNED", "0", "99999999.99"));
        all.add(List.of(
                "FLOAT", "0", "-0e0", "1", "0.1", "-1.5e-30", "3.402823466e38", "1.17549435e-38", "1e-45", "16777217"));
        all.add(List.of("FLOAT(7,3)", "1234.567", "-0.001"));
        all.add(List.of(
                "DOUBLE",
                "0",
                "1",
                "-1.5",
                "0.1",
                "1e15",
                "123456789012345",
                "1e-5",
                "1e-14",
                "1e-15",
                "2.2250738585072014e-308",
                "1.7976931348623157e308",
                "2e23",
                "3.0000000000000004",
                "5e-324"));
        all.add(List.of("DOUBLE UNSIGNED", "1.25"));
        for (int bits : new int[] {1, 7, 8, 9, 16, 31, 32, 33, 63, 64}) {
            BigInteger most = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
            all.add(List.of("BIT(" + bits + ")", "0", "1", most.toString()));
        }
        all.add(List.of("YEAR", "0", "1901", "2155", "2024"));
    }

    private static void times(List<List<String>> all) {
        all.add(List.of(
                "DATE",
                "'0000-00-00'",
                "'1000-01-01'",
                "'9999-12-31'",
                "'2024-00-00'",
                "'2024-02-31'",
                "'1969-12-31'",
                "'0000-01-00'",
                "'1600-02-29'"));
        for (int digits = 0; digits <= 6; digits++) {
            String fraction = digits == 0 ? "" : "." + "987654".substring(0, digits);
            String least = digits == 0 ? "" : "." + "0".repeat(digits - 1) + "1";
            all.add(List.of(
                    "TIME(" + digits + ")",
                    "'-838:59:59'",
                    "'838:59:59'",
                    "'-838:59:58" + fraction + "'",
                    "'838:59:58" + fraction + "'",
                    "'-00:00:00" + least + "'",
                    "'00:00:00" + least + "'",
                    "'-00:00:01" + least + "'",
                    "'00:00:00'"));
            all.add(List.of(
                    "DATETIME(" + digits + ")",
                    "'0000-00-00 00:00:00'",
                    "'1000-01-01 00:00:00" + fraction + "'",
                    "'9999-12-31 23:59:59" + fraction + "'",
                    "'2024-00-15 01:02:03" + least + "'",
                    "'2023-02-31 23:00:00'",
                    "'1969-12-31 23:59:59" + fraction + "'"));
            all.add(List.of(
                    "TIMESTAMP(" + digits + ") NULL",
                    "'0000-00-00 00:00:00'",
                    "'1970-01-01 00:00:01" + fraction + "'",
                    "'2038-01-19 03:14:07'",
                    "'2024-02-29 12:34:56" + least + "'"));
        }
    }

    private static void texts(List<List<String>> all) {
        for (String charset :
                List.of("latin1", "gbk", "utf16", "utf8mb4", "ucs2", "utf32", "utf8", "ascii", "sjis", "cp1251")) {
            boolean isWide = charset.startsWith("u");
            String text = isWide ? "_utf8mb4 X'C3A4E4BDA0'" : charset.equals("gbk") ? "_gbk X'c4e3a2e3'" : "'abc'";
            for (String type : List.of("CHAR(20)", "VARCHAR(300)", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT")) {
                all.add(List.of(type + " CHARACTER SET " + charset, "''", "'a '", "' a'", text, "'\\0\\n\"\\\\'"));
            }
        }
        all.add(List.of("CHAR(255) CHARACTER SET utf8mb4", "REPEAT(_utf8mb4 X'F09F9880', 255)"));
        all.add(List.of("VARCHAR(255) CHARACTER SET latin1", "_latin1 X'80818d8f909dffe9'"));
        all.add(List.of("CHAR(0)", "''"));
        all.add(List.of("ENUM('a','b','',' c','\u00e9''') CHARACTER SET latin1", "1", "2", "3", "'\u00e9'''", "0"));
        all.add(List.of(
                "ENUM(" + IntStream.range(0, 300).mapToObj(i -> "'e" + i + "'").collect(Collectors.joining(",")) + ")",
                "1",
                "255",
                "256",
                "300"));
        all.add(List.of("SET(" + SET_64 + ")", "0", "1", "9223372036854775808", "18446744073709551615", "128"));
        all.add(List.of("SET('a','b','c') CHARACTER SET utf16", "0", "'a,c'", "7"));
    }

    private static void bytes(List<List<String>> all) {
        all.add(List.of("BINARY(4)", "X'00000000'", "X'01'", "X'0100'", "X'61202000'", "X'ffffffff'"));
        all.add(List.of("BINARY(0)", "''"));
        all.add(List.of("VARBINARY(300)", "''", "X'0100'", "X'2020'", "REPEAT(X'ff', 300)"));
        for (String type : List.of("TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB")) {
            all.add(List.of(type, "''", "X'00'", "X'0020'", "REPEAT(X'fe', 255)"));
        }
        all.add(List.of("MEDIUMBLOB", "REPEAT(X'abcd', 2000000)"));
        all.add(List.of("LONGTEXT", "REPEAT('0123456789abcdef', 200000)"));
        all.add(List.of("GEOMETRY", "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('LINESTRING(0 0,1 1,2 5)', 0)"));
        all.add(List.of("POINT", "ST_GeomFromText('POINT(-1.5 1e100)')"));
    }

    private static void others(List<List<String>> all, MysqlRelease release) {
        List<String> json = new ArrayList<>(List.of(
                "JSON",
                "'null'",
                "'[]'",
                "'{\"b\": 1, \"a\": [true, false, null, \"x\\\\n\\\\u0001\\\\\"\"]}'",
                "'[1.5, -1e300, 18446744073709551615, -9223372036854775808, 0.1]'",
                "CONCAT('[\"', REPEAT('x', 70000), '\", 1]')",
                "'\"\u00e9\ud83d\ude00\"'"));
        if (!release.isMariadb()) {
            json.addAll(List.of(
                    "JSON_ARRAY(CAST(1.250 AS DECIMAL(10,3)), CAST('2024-01-02' AS DATE), CAST('-10:11:12.5' AS TIME(6)))",
                    "JSON_OBJECT('t', CAST('2024-01-02 03:04:05.000006' AS DATETIME(6)), 'b', X'00ff')",
                    "JSON_ARRAY(X'fe', b'101')"));
        }
        if (release.isMysqlFrom(80000)) { // 5.7 shows its line breaks without escapes
            json.add("JSON_ARRAY(REPEAT(X'fe', 200))");
        }
        all.add(json);
        if (release == MysqlRelease.MYSQL_9) {
            all.add(List.of("VECTOR(3)", "TO_VECTOR('[1,-2.5,3e10]')"));
            all.add(List.of("VECTOR(2048)", "TO_VECTOR(CONCAT('[1', REPEAT(',0.5', 2047), ']'))"));
        }
        if (release.isMariadb()) {
            all.add(List.of("INET6", "'::'", "'2001:db8::'", "'::ffff:1.2.3.4'"));
            all.add(List.of("INET4", "'0.0.0.0'", "'10.0.0.0'", "'255.255.255.255'"));
            all.add(List.of(
                    "UUID",
                    "'00000000-0000-0000-0000-000000000000'",
                    "'123e4567-e89b-12d3-a456-426655440000'",
                    "'0189a3b4-1234-7abc-8def-000000000000'",
                    "'ffffffff-ffff-ffff-ffff-ffffffffffff'"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = MysqlRelease.class,
            names = {"MYSQL_8_0_31", "MYSQL_5_7_22", "MYSQL_9", "MARIADB_10_11"})
    void valuesAreThoseThatTheServerReturns(MysqlRelease release) throws SQLException {
        try (ChangeSource source =
                new ChangeSource(release, "--max-allowed-packet=64M", "--character-set-server=utf8mb4")) {
            List<List<String>> columns = columns(release);
            GtidSet before = source.executed();
            try (Sql sql = source.server().sql()) {
                sql.execute("SET SESSION time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'", "CREATE DATABASE d");
                for (int i = 0; i < columns.size(); i++) {
                    create(sql, "d.t" + i, columns.get(i));
                }
                ReadRows read = source.read(before);
                for (int i = 0; i < columns.size(); i++) {
                    compare(sql, read, "t" + i, columns.get(i).get(0));
                }
            }
        }
    }

    /** MariaDB counts geometries among the columns with character sets. */
    @ParameterizedTest
    @EnumSource(
            value = MysqlRelease.class,
            names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void geometriesAmongColumnsOfCharactersAreRead(MysqlRelease release) throws SQLException {
        try (ChangeSource source = new ChangeSource(release)) {
            GtidSet before = source.executed();
            source.server()
                    .execute(
                            "CREATE DATABASE d",
                            "CREATE TABLE d.a (g POINT, u VARCHAR(9) CHARACTER SET utf8mb4, l TEXT CHARACTER SET latin1, b BLOB, h POINT)",
                            "CREATE TABLE d.b (u TEXT CHARACTER SET utf8mb4, g POINT, v TEXT CHARACTER SET utf8mb4, x TEXT CHARACTER SET utf16)",
                            "INSERT INTO d.a VALUES (ST_GeomFromText('POINT(1 2)'), 'u', _latin1 X'e9', X'e9', NULL)",
                            "INSERT INTO d.b VALUES ('u', NULL, 'v', 'x')",
                            "ALTER TABLE d.a ADD COLUMN z INT FIRST",
                            "ALTER TABLE d.b DROP COLUMN u");
            List<ReadRow> rows = source.read(before).rows();
            assertEquals(
                    "{g=000000000101000000000000000000F03F0000000000000040, u=u, l=\u00e9, b=E9, h=null}",
                    rows.get(0).after().toString());
            assertEquals("{u=u, g=null, v=v, x=x}", rows.get(1).after().toString());
        }
    }

    private static void create(Sql sql, String table, List<String> column) throws SQLException {
        sql.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY, v " + column.get(0) + ", w INT)");
        String values = IntStream.range(1, column.size())
                .mapToObj(i -> "(" + i + ", " + column.get(i) + ", " + i + ")")
                .collect(Collectors.joining(", "));
        sql.execute(
                "INSERT INTO " + table + " VALUES " + values,
                "INSERT INTO " + table + " VALUES (0, NULL, NULL)",
                "UPDATE " + table + " SET w = w + 1",
                "DELETE FROM " + table + " WHERE id = 1000");
    }

    private static void compare(Sql sql, ReadRows read, String table, String type) throws SQLException {
        List<ReadRow> inserted = rows(read, table, Operation.INSERT);
        assertFalse(inserted.isEmpty(), () -> table + " in " + read.transactions);
        ChangeColumn column = inserted.get(0).table().column("V").orElseThrow();
        List<Map<String, String>> expected =
                sql.rows("SELECT id, " + expression(column) + " AS v FROM d." + table + " ORDER BY id");
        assertEquals(expected.size(), inserted.size(), type);
        for (ReadRow row : inserted) {
            compare(expected, row.after(), column, type);
        }
        for (ReadRow row : rows(read, table, Operation.UPDATE)) {
            compare(expected, row.before(), column, type);
            compare(expected, row.after(), column, type);
        }
    }

    private static List<ReadRow> rows(ReadRows read, String table, Operation operation) {
        return read.rows().stream()
                .filter(row -> row.table().name().table().equals(table) && row.operation() == operation)
                .toList();
    }

    private static void compare(
            List<Map<String, String>> expected, Map<String, String> row, ChangeColumn column, String type) {
        String value = expected.get(Integer.parseInt(row.get("id"))).get("v");
        String found = row.get("v");
        if (value == null || found == null) {
            assertEquals(value, found, type);
        } else if (column.kind() == ValueKind.FLOAT) {
            assertEquals((float) Double.parseDouble(value), Float.parseFloat(found), type);
        } else if (List.of(ValueKind.TEXT, ValueKind.JSON, ValueKind.ENUM, ValueKind.SET)
                .contains(column.kind())) {
            assertEquals(new String(HexFormat.of().parseHex(value), StandardCharsets.UTF_8), found, type);
        } else {
            assertEquals(value, found, type);
        }
    }

    private static String expression(ChangeColumn column) {
        return switch (column.kind()) {
            case BYTES ->
                column.type().name().matches("inet.|uuid")
                        ? "HEX(CAST(v AS BINARY(" + (column.type().name().equals("inet4") ? 4 : 16) + ")))"
                        : "HEX(v)";
            case GEOMETRY, VECTOR -> "HEX(v)";
            case TEXT, ENUM, SET -> "HEX(CONVERT(v USING utf8mb4))";
            case JSON -> "HEX(CAST(v AS CHAR CHARACTER SET utf8mb4))";
            case FLOAT -> "v * 1e0";
            case BIT -> "CAST(v AS UNSIGNED)";
            case INTEGER -> "CAST(v + 0 AS CHAR)";
            default -> "CAST(v AS CHAR)";
        };
    }
}
