package io.tributary.sink;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table with a column of each type, with the least, the greatest and special values. What the server returns for it is the truth of the tests. */
public final class TypesTable {
    /** Its schema. */
    public static final String SCHEMA = "types";

    /** Its name. */
    public static final String TABLE = "all_types";

    private static final String NINES_65 = "9".repeat(35) + "." + "9".repeat(30);
    private static final String ALL_64 =
            IntStream.range(0, 64).mapToObj(i -> "v" + i).collect(Collectors.joining(","));

    private final MysqlServer server;
    private final List<TypedColumn> columns = new ArrayList<>();
    private int rows;

    /**
     * A column.
     *
     * @param name of the column
     * @param type its type, such as {@code varchar}
     * @param definition after the name
     * @param values SQL literals; empty if it is generated
     */
    public record TypedColumn(String name, String type, String definition, List<String> values) {
        /** What the server returns for it: digits, text, or hexadecimal digits of bytes or of characters in UTF-8; the number of ENUM and SET as {@code name#}. */
        String select() {
            return text() + " AS `" + name + "`"
                    + (isList() ? ", CAST(`" + name + "` AS UNSIGNED) AS `" + name + "#`" : "");
        }

        private boolean isList() {
            return type.equals("enum") || type.equals("set");
        }

        private String text() {
            return switch (type) {
                case "bit" -> "CAST(`" + name + "` AS UNSIGNED)";
                case "float" -> "`" + name + "` * 1e0";
                case "double" -> "`" + name + "`";
                case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json", "enum", "set" ->
                    "HEX(CONVERT(`" + name + "` USING utf8mb4))";
                case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "geometry", "vector" ->
                    "HEX(`" + name + "`)";
                case "zerofill" -> "`" + name + "` + 0";
                default -> "CAST(`" + name + "` AS CHAR)";
            };
        }
    }

    public TypesTable(MysqlServer server) {
        this.server = server;
        numbers();
        times();
        characters();
        others();
        if (server.release().isMysqlFrom(90000)) {
            add(
                    "vec",
                    "vector(3)",
                    "STRING_TO_VECTOR('[1,-2.5,3e-20]')",
                    "NULL",
                    "STRING_TO_VECTOR('[0.1,3.4e38,-0]')");
        }
    }

    private void add(String name, String definition, String... values) {
        addAs(name, definition.replaceFirst("[ (].*", ""), definition, values);
    }

    private void addAs(String name, String type, String definition, String... values) {
        columns.add(new TypedColumn(name, type, definition, List.of(values)));
        rows = Math.max(rows, values.length);
    }

    private void numbers() {
        add("ti", "tinyint", "-128", "127", "0", "NULL", "-1");
        add("tu", "tinyint unsigned", "255", "0", "128", "NULL");
        add("si", "smallint", "-32768", "32767", "NULL");
        add("su", "smallint unsigned", "65535", "0", "32768", "NULL");
        add("mi", "mediumint", "-8388608", "8388607", "NULL", "-1");
        add("mu", "mediumint unsigned", "16777215", "0", "8388608", "NULL");
        add("i", "int", "-2147483648", "2147483647", "NULL", "0", "-1");
        add("iu", "int unsigned", "4294967295", "0", "2147483648", "NULL");
        add("bi", "bigint", "-9223372036854775808", "9223372036854775807", "NULL", "0", "-1");
        add("bu", "bigint unsigned", "18446744073709551615", "0", "9223372036854775808", "NULL", "42");
        addAs("zf", "zerofill", "int(8) unsigned zerofill", "42", "4294967295", "NULL");
        add("nn", "int not null default -5", "1", "2");
        add("d65", "decimal(65,30)", NINES_65, "-" + NINES_65, "0", "NULL", "-0." + "0".repeat(29) + "1", "1.5", "-1");
        add("d10", "decimal(10,2)", "99999999.99", "-99999999.99", "0.01", "NULL", "-0.01", "-128", "127.99", "128");
        add("d18", "decimal(18,18)", "0." + "9".repeat(18), "-0." + "9".repeat(18), "0", "NULL");
        add("d19", "decimal(19,9)", "9999999999.999999999", "-9999999999.999999999", "NULL", "-0.000000001");
        add("d1", "decimal(1,0)", "9", "-9", "0", "NULL");
        add(
                "d30",
                "decimal(30,0) unsigned",
                "9".repeat(30),
                "0",
                "9223372036854775808",
                "NULL",
                "18446744073709551616");
        add("dd", "decimal(12,4) not null default 1.5", "-255.0001", "32767.9999", "-32768");
        add("f", "float", "3.4028e38", "-1.17549e-38", "0.1", "NULL", "1.5", "16777216", "-0.0");
        add(
                "db",
                "double",
                "1.7976931348623157e308",
                "-2.2250738585072014e-308",
                "0.1",
                "NULL",
                "1e21",
                "123456789.123456789");
        add("fd", "float not null default 0.25", "1", "3");
        add("b1", "bit(1)", "b'1'", "b'0'", "NULL");
        add("b9", "bit(9) default b'101'", "b'111111111'", "b'0'", "b'10000000'", "NULL", "b'1'");
        add("b64", "bit(64)", "0xffffffffffffffff", "0", "0x8000000000000000", "NULL", "256");
    }

    private void times() {
        add("y", "year", "1901", "2155", "0", "NULL", "2024");
        add(
                "dt",
                "date",
                "'0000-00-00'",
                "'9999-12-31'",
                "'2024-02-00'",
                "NULL",
                "'1000-01-01'",
                "'2024-02-31'",
                "'2024-00-00'");
        add("tm", "time", "'-838:59:59'", "'838:59:59'", "'00:00:00'", "NULL", "'-00:00:01'", "'99:59:59'");
        add("tm3", "time(3)", "'-838:59:58.999'", "'838:59:58.999'", "'-00:00:00.001'", "NULL", "'100:00:00.010'");
        add("tm6", "time(6)", "'-00:00:00.000001'", "'838:59:58.999999'", "'-100:00:00.5'", "NULL");
        add("m0", "datetime", "'0000-00-00 00:00:00'", "'9999-12-31 23:59:59'", "'2024-02-00 01:02:03'", "NULL");
        add("m1", "datetime(1)", "'2024-02-29 23:59:59.9'", "'1000-01-01 00:00:00.1'", "NULL");
        add("m4", "datetime(4)", "'2024-02-29 23:59:59.9999'", "'0001-01-01 00:00:00.0001'", "NULL");
        add(
                "m6",
                "datetime(6)",
                "'9999-12-31 23:59:59.999999'",
                "'0000-00-00 00:00:00.000000'",
                "NULL",
                "'2024-02-31 00:00:00.000001'");
        add("md", "datetime not null default '2001-02-03 04:05:06'", "'2024-01-01'", "'2023-12-31 23:00:00'");
        add(
                "ts",
                "timestamp null",
                "'1970-01-01 00:00:01'",
                "'2038-01-19 03:14:07'",
                "'0000-00-00 00:00:00'",
                "NULL",
                "'2000-02-29 12:00:00'");
        add(
                "ts6",
                "timestamp(6) null",
                "'1970-01-01 00:00:01.000001'",
                "'2038-01-19 03:14:07.499999'",
                "0",
                "NULL",
                "'2024-12-31 23:59:59.9'");
        add("tsn", "timestamp not null default current_timestamp", "'2024-03-01 00:00:00'", "'1999-12-31 23:59:59'");
    }

    private void characters() {
        add("cl", "char(10) character set latin1", "'äöü€'", "'plain'", "''", "NULL", "'   x'");
        add("vg", "varchar(20) character set gbk", "'中文abc'", "''", "NULL", "'丂狛'");
        add("vu", "varchar(20) character set utf16", "'a😀中'", "''", "NULL", "'plain'");
        add(
                "v4",
                "varchar(300) character set utf8mb4",
                "'😀 \\\"quoted\\\\ \\n\\t\\0 x'",
                "'" + "ü".repeat(300) + "'",
                "''",
                "NULL");
        add("va", "varchar(20) character set ascii not null default 'x''y\\\"'", "'ascii'", "''");
        add("tt", "tinytext character set utf8mb4", "'é'", "NULL", "''");
        add("tx", "text character set utf8mb4", "REPEAT('text 中 ', 2000)", "''", "NULL");
        add("mt", "mediumtext character set latin1", "REPEAT('ÿ', 1000)", "''", "NULL");
        add("lt", "longtext character set utf8mb3", "'long'", "''", "NULL");
        add("bin", "binary(8)", "0x0100", "''", "NULL", "0xffffffffffffff00", "'12345678'");
        add("vb", "varbinary(20)", "0x00ff8922005c", "''", "NULL", "'a\\\"b\\\\c'");
        add("tb", "tinyblob", "0x00", "''", "NULL");
        add("bl", "blob", "REPEAT(0x00ff, 3000)", "''", "NULL");
        add("mb", "mediumblob", "0xdeadbeef", "''", "NULL");
        add("lb", "longblob", "REPEAT('x', 70000)", "''", "NULL");
        add("bd", "varbinary(4) not null default 0x00ff", "0x01", "X''");
    }

    private void others() {
        add("e", "enum('a','b,c','ü\"') character set latin1", "'a'", "'b,c'", "'ü\"'", "NULL", "''");
        add("en", "enum('x','y') not null default 'y'", "'x'", "'y'");
        String values = IntStream.range(0, 64).mapToObj(i -> "'v" + i + "'").collect(Collectors.joining(","));
        add("s64", "set(" + values + ")", "'" + ALL_64 + "'", "'v63'", "''", "NULL", "'v0,v31,v32,v63'");
        add(
                "j",
                "json",
                "'{\"a\": [1, 2.5, null, true, \"ü\\\\n\"], \"b\": {}}'",
                "'null'",
                "NULL",
                "'18446744073709551615'",
                "'\"😀\"'");
        add(
                "g",
                "geometry",
                "ST_GeomFromText('LINESTRING(0 0,1 1)', 0)",
                "NULL",
                "ST_GeomFromText('POINT(1 2)', 4326)");
        addAs("gs", "int", "int generated always as (nn * 2) stored");
        addAs("gv", "varchar", "varchar(30) generated always as (concat('n', nn)) virtual");
        add("odd-name 1", "int", "7", "NULL");
    }

    /** All columns but the key. */
    public List<TypedColumn> columns() {
        return columns;
    }

    /** Creates the table. */
    public void create() throws SQLException {
        String list = columns.stream()
                .map(column -> "`" + column.name() + "` " + column.definition())
                .collect(Collectors.joining(",\n"));
        server.execute(
                "CREATE DATABASE IF NOT EXISTS " + SCHEMA + " CHARACTER SET utf8mb4",
                "SET SESSION sql_mode = ''",
                "CREATE TABLE " + SCHEMA + "." + TABLE + " (id bigint unsigned NOT NULL, grp varchar(10) NOT NULL, "
                        + list + ", PRIMARY KEY (grp, id), KEY (i))");
    }

    private List<TypedColumn> written() {
        return columns.stream().filter(column -> !column.values().isEmpty()).toList();
    }

    /** Inserts the rows. */
    public void insert() throws SQLException {
        try (Sql sql = session()) {
            for (int row = 0; row < rows; row++) {
                int at = row;
                String names = written().stream()
                        .map(column -> "`" + column.name() + "`")
                        .collect(Collectors.joining(","));
                String values =
                        written().stream().map(column -> value(column, at)).collect(Collectors.joining(","));
                sql.execute("INSERT INTO " + SCHEMA + "." + TABLE + " (grp, id, " + names + ") VALUES ('g" + row % 2
                        + "', " + Long.toUnsignedString(-1L - row) + ", " + values + ")");
            }
        }
    }

    /** Updates each row to the values of the next one. */
    public void update() throws SQLException {
        try (Sql sql = session()) {
            for (int row = 0; row < rows; row++) {
                int at = row + 1;
                String values = written().stream()
                        .map(column -> "`" + column.name() + "` = " + value(column, at))
                        .collect(Collectors.joining(","));
                sql.execute("UPDATE " + SCHEMA + "." + TABLE + " SET " + values + " WHERE id = "
                        + Long.toUnsignedString(-1L - row));
            }
        }
    }

    /** Deletes all rows. */
    public void delete() throws SQLException {
        server.execute("DELETE FROM " + SCHEMA + "." + TABLE);
    }

    private static String value(TypedColumn column, int row) {
        return column.values().get(row % column.values().size());
    }

    private Sql session() throws SQLException {
        return server.sql()
                .execute(
                        "SET NAMES utf8mb4",
                        "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
                        "SET SESSION time_zone = '+00:00'");
    }

    /** What the server returns for each row, by its id and then by column; the key columns are among them. */
    public Map<String, Map<String, String>> select() throws SQLException {
        try (Sql sql = session()) {
            String list = columns.stream().map(TypedColumn::select).collect(Collectors.joining(","));
            Map<String, Map<String, String>> all = new TreeMap<>();
            String query = "SELECT CAST(id AS CHAR) AS id, HEX(grp) AS grp, " + list + " FROM " + SCHEMA + "." + TABLE;
            for (Map<String, String> row : sql.rows(query)) {
                all.put(row.get("id"), new LinkedHashMap<>(row));
            }
            return all;
        }
    }

    /** The types of all columns by their names, the key's among them. */
    public Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        types.put("id", "bigint");
        types.put("grp", "varchar");
        columns.forEach(column -> types.put(column.name(), column.type()));
        return types;
    }
}
