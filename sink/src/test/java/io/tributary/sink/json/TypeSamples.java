package io.tributary.sink.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Types with values at their limits, as literals. NULL is added to each. */
public final class TypeSamples {
    /** A type and its values. */
    public record Sample(String type, List<String> values) {
        /** Its name without length and attributes, in lower case. */
        public String name() {
            return type.replaceAll("[^A-Za-z].*", "").toLowerCase(Locale.ROOT);
        }
    }

    private TypeSamples() {}

    private static Sample of(String type, String... values) {
        return new Sample(type, List.of(values));
    }

    /** All samples for a release from 5.7 on. */
    public static List<Sample> all() {
        List<Sample> all = new ArrayList<>(numbers());
        all.addAll(times());
        all.addAll(others());
        all.addAll(texts());
        return all;
    }

    private static List<Sample> numbers() {
        return List.of(
                of("TINYINT", "-128", "127", "0", "-1"),
                of("TINYINT(1)", "0", "1", "2"),
                of("TINYINT UNSIGNED", "0", "255", "128", "127"),
                of("SMALLINT", "-32768", "32767", "-1"),
                of("SMALLINT UNSIGNED", "65535", "32768", "0"),
                of("MEDIUMINT", "-8388608", "8388607", "-1"),
                of("MEDIUMINT UNSIGNED", "16777215", "8388608", "0"),
                of("INT", "-2147483648", "2147483647", "-1", "10", "99", "100", "12345678"),
                of("INT UNSIGNED", "4294967295", "2147483648", "42"),
                of("INT(10) UNSIGNED ZEROFILL", "4294967295", "42"),
                of("BIGINT", "-9223372036854775808", "9223372036854775807", "-1", "4294967296", "1000000000000000000"),
                of("BIGINT UNSIGNED", "18446744073709551615", "9223372036854775808", "9223372036854775807", "10"),
                of("DECIMAL(65,30)", "99999999999999999999999999999999999.999999999999999999999999999999", "-1", "0"),
                of("DECIMAL(65,30)", "-0.000000000000000000000000000001", "-12345678901234567890.1"),
                of("DECIMAL(65,0)", "-99999999999999999999999999999999999999999999999999999999999999999", "0", "7"),
                of("DECIMAL(5,5) UNSIGNED", "0.99999", "0.00001", "0"),
                of(
                        "DECIMAL(10,2)",
                        "-0.01",
                        "0.10",
                        "99999999.99",
                        "-99999999.99",
                        "128",
                        "1.28",
                        "-1.28",
                        "-1.29",
                        "2.55"),
                of(
                        "DECIMAL(18,9)",
                        "-123456789.000000001",
                        "-0.000000001",
                        "999999999.999999999",
                        "-999999999.999999999"),
                of("DECIMAL(19,0)", "9999999999999999999", "-9999999999999999999", "1000000000"),
                of(
                        "FLOAT",
                        "1.1",
                        "-0e0",
                        "-3.4028234e38",
                        "1.17549435e-38",
                        "1.4e-45",
                        "16777216",
                        "0",
                        "3.3e-7",
                        "1e10"),
                of("FLOAT(10,2)", "1.1", "-9999999.99", "12345.67"),
                of("DOUBLE", "0.1", "-0e0", "-1.7976931348623157e308", "2.2250738585072014e-308", "4.9e-324", "2e-3"),
                of("DOUBLE", "9007199254740993", "1e22", "123456789012345680000", "0.00001", "0", "2e23", "123e-9"),
                of("DOUBLE(20,4)", "1.1", "-9999999999999999.9999", "0.0001"),
                of("BIT(1)", "0", "1"),
                of("BIT(8)", "255", "0", "128"),
                of("BIT(33)", "8589934591", "1", "4294967296"),
                of("BIT(64)", "18446744073709551615", "9223372036854775808", "0", "1"));
    }

    private static List<Sample> times() {
        return List.of(
                of("YEAR", "0", "1901", "2155", "1970"),
                of(
                        "DATE",
                        "'0000-00-00'",
                        "'0001-01-01'",
                        "'9999-12-31'",
                        "'2020-02-31'",
                        "'2020-00-00'",
                        "'1970-01-01'"),
                of("DATE", "'2000-02-29'", "'1900-03-01'", "'1969-12-31'", "'2024-12-00'"),
                of("TIME", "'-838:59:59'", "'838:59:59'", "'00:00:00'", "'-00:00:01'"),
                of("TIME(1)", "'-838:59:58.9'", "'-00:00:00.1'", "'99:59:59.9'"),
                of("TIME(2)", "'-00:00:00.01'", "'-01:00:00.00'", "'12:34:56.78'"),
                of("TIME(3)", "'-00:00:01.001'", "'-01:00:00'", "'12:34:56.789'"),
                of("TIME(4)", "'-00:00:00.0001'", "'-100:00:00'", "'12:34:56.0789'"),
                of("TIME(5)", "'-00:59:59.99999'", "'00:00:00'", "'12:34:56.00001'"),
                of("TIME(6)", "'-838:59:58.999999'", "'-00:00:00.000001'", "'838:59:59'", "'00:00:00.000001'"),
                of("DATETIME", "'0000-00-00 00:00:00'", "'9999-12-31 23:59:59'", "'2020-02-30 01:02:03'"),
                of("DATETIME(1)", "'1000-01-01 00:00:00.1'", "'0001-01-01 00:00:00'", "'2020-00-00 00:00:00.9'"),
                of("DATETIME(2)", "'1969-12-31 23:59:59.99'", "'1970-01-01 00:00:00.01'"),
                of(
                        "DATETIME(3)",
                        "'9999-12-31 23:59:59.999'",
                        "'2000-01-01 00:00:00.001'",
                        "'1960-01-01 00:00:00.999'"),
                of("DATETIME(4)", "'9999-12-31 23:59:59.9999'", "'2000-01-01 00:00:00.0001'"),
                of("DATETIME(5)", "'9999-12-31 23:59:59.99999'", "'2000-01-01 00:00:00.00001'"),
                of("DATETIME(6)", "'9999-12-31 23:59:59.999999'", "'0000-00-00 00:00:00'", "'2020-01-01 00:00:00.01'"),
                of("TIMESTAMP NULL", "'0000-00-00 00:00:00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"),
                of(
                        "TIMESTAMP(2) NULL",
                        "'2024-02-29 23:59:59.99'",
                        "'1970-01-01 00:00:01.01'",
                        "'2000-12-31 23:00:00'"),
                of("TIMESTAMP(3) NULL", "'2024-03-01 00:00:00.005'", "'1999-01-01 00:00:01.010'"),
                of(
                        "TIMESTAMP(6) NULL",
                        "'2038-01-19 03:14:07.999999'",
                        "'0000-00-00 00:00:00'",
                        "'2000-02-29 12:00:00'"));
    }

    private static List<Sample> others() {
        return List.of(
                of("ENUM('x','y''\"','z,\u00e9')", "'x'", "'y''\"'", "3", "''", "'w'"),
                of("SET('a','b','c')", "''", "'a,c'", "'a,b,c'"),
                of("SET(" + members(64) + ")", "'m63'", "'m0,m63'", "''", "18446744073709551615"),
                of("ENUM(" + members(300) + ")", "'m299'", "'m0'", "'m255'"),
                of("BINARY(5)", "X''", "X'0000000001'", "X'0100000000'", "X'2020'", "X'225c0a7f80'"),
                of(
                        "VARBINARY(300)",
                        "X''",
                        "X'00'",
                        "X'6100'",
                        "REPEAT(X'ff', 300)",
                        "X'0102030405060708090a0b0c0d0e0f'"),
                of("BINARY(255)", "X''", "X'00'", "REPEAT(X'27', 255)"),
                of("TINYBLOB", "X''", "X'00'", "REPEAT(X'5c', 255)"),
                of("BLOB", "X''", "X'2000'", "REPEAT(X'00', 65535)", "X'01'", "X'0102'", "X'010203'"),
                of("MEDIUMBLOB", "X''", "REPEAT(X'80', 70000)"),
                of("LONGBLOB", "X''", "REPEAT(X'ff', 100000)"),
                of("POINT", "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(-0.5 1e300)')"),
                of(
                        "GEOMETRY",
                        "ST_GeomFromText('LINESTRING(0 0, 1 1)')",
                        "ST_GeomFromText('POINT(1 2)', 4326)",
                        "ST_GeomFromText('GEOMETRYCOLLECTION()')"),
                of("JSON", "'null'", "'{}'", "'[]'", "'\"\"'", "'18446744073709551615'", "'-9223372036854775808'"),
                of("JSON", "'1.0'", "'-0.0'", "'1e300'", "'true'", "'{\"\": {\"a\": [1, 2.5, \"x\"]}}'", "'0.1'"),
                of(
                        "JSON",
                        "'{\"b\": [-32769, 65536, 4294967296], \"aa\": null, \"c\": false}'",
                        "'[\"a\\\\\"\\\\\\\\\\\\n\\\\u0001\\\\u0000\", \"\u00e9\u4e2d\ud83d\ude00\"]'"));
    }

    private static List<Sample> texts() {
        return List.of(
                of("CHAR(10) CHARACTER SET utf8mb4", "''", "'a '", "X'f09f9880'", "'a''\\\\b'", "'\"\\\\/\"'"),
                of("CHAR(100) CHARACTER SET utf8mb4", "''", "REPEAT(_utf8mb4 X'f09f9880', 100)"),
                of(
                        "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                        "''",
                        "'a  '",
                        "'\\n\\t\\r\\b'",
                        "X'00011f7f0c'"),
                of(
                        "VARCHAR(300) CHARACTER SET utf8mb4",
                        "REPEAT('abcdefg', 40)",
                        "'01234567\"'",
                        "'0123456\"'",
                        "'012345\\\\8'"),
                of("VARCHAR(300) CHARACTER SET utf8", "''", "REPEAT(_utf8mb4 X'e4b8ad', 300)"),
                of(
                        "VARCHAR(300) CHARACTER SET latin1",
                        "''",
                        "_latin1 X'e9'",
                        "_latin1 X'818d8f909d80'",
                        "REPEAT('\"', 300)"),
                of("CHAR(5) CHARACTER SET latin1 COLLATE latin1_bin", "''", "_latin1 X'ff20'", "_latin1 X'80'"),
                of("VARCHAR(20) CHARACTER SET latin2", "''", "_latin2 X'a1b1'"),
                of("VARCHAR(20) CHARACTER SET cp1251", "''", "_cp1251 X'c0ff'"),
                of("VARCHAR(20) CHARACTER SET gbk", "''", "_gbk X'b0a1'", "_gbk X'815c'", "_gbk X'b0a12020'"),
                of("VARCHAR(20) CHARACTER SET gb18030", "''", "_gb18030 X'b0a1'", "_gb18030 X'9439fc36'"),
                of(
                        "VARCHAR(20) CHARACTER SET utf16",
                        "''",
                        "_utf16 X'0041'",
                        "_utf16 X'd83dde00'",
                        "_utf16 X'00220020'"),
                of("CHAR(5) CHARACTER SET utf16", "''", "_utf16 X'0041'", "_utf16 X'd83dde00'"),
                of("VARCHAR(20) CHARACTER SET utf32", "''", "_utf32 X'0001f600'"),
                of("VARCHAR(20) CHARACTER SET ucs2", "''", "_ucs2 X'4e2d'"),
                of("VARCHAR(20) CHARACTER SET utf16le", "''", "_utf16le X'3dd800de'"),
                of("VARCHAR(20) CHARACTER SET sjis", "''", "_sjis X'835c'"),
                of("VARCHAR(20) CHARACTER SET cp932", "''", "_cp932 X'8160'", "_cp932 X'fa54'"),
                of("VARCHAR(20) CHARACTER SET big5", "''", "_big5 X'a45c'"),
                of("VARCHAR(20) CHARACTER SET euckr", "''", "_euckr X'b0a1'"),
                of("VARCHAR(20) CHARACTER SET koi8r", "''", "_koi8r X'c1'"),
                of("VARCHAR(20) CHARACTER SET ascii", "''", "'a'"),
                of("TINYTEXT CHARACTER SET latin1", "''", "REPEAT('x', 255)", "_latin1 X'a0'"),
                of("TEXT CHARACTER SET utf8", "''", "REPEAT('ab', 30000)"),
                of("MEDIUMTEXT CHARACTER SET utf8mb4", "''", "REPEAT('ab', 50000)"),
                of("LONGTEXT CHARACTER SET utf16", "''", "_utf16 X'0000'"));
    }

    private static String members(int number) {
        List<String> members = new ArrayList<>(Collections.nCopies(number, ""));
        for (int i = 0; i < number; i++) {
            members.set(i, "'m" + i + "'");
        }
        return String.join(",", members);
    }
}
