package io.tributary.replay.row;

import java.util.List;

/** Columns of all types, each with values at the limits of its type. */
final class SampleColumns {
    /** Without any text outside of hexadecimal digits, so that the character set of the session has no effect. */
    static final List<List<String>> PLAIN = List.of(
            List.of("TINYINT", "-128", "127", "0"),
            List.of("TINYINT UNSIGNED", "0", "255", "128"),
            List.of("SMALLINT", "-32768", "32767", "-1"),
            List.of("SMALLINT UNSIGNED", "65535", "32768", "0"),
            List.of("MEDIUMINT", "-8388608", "8388607", "-1"),
            List.of("MEDIUMINT UNSIGNED", "16777215", "8388608", "0"),
            List.of("INT", "-2147483648", "2147483647", "-1"),
            List.of("INT(10) UNSIGNED ZEROFILL", "4294967295", "2147483648", "42"),
            List.of("BIGINT", "-9223372036854775808", "9223372036854775807", "-1"),
            List.of("BIGINT UNSIGNED", "18446744073709551615", "9223372036854775808", "10"),
            List.of("DECIMAL(65,30)", "99999999999999999999999999999999999.999999999999999999999999999999", "-1", "0"),
            List.of("DECIMAL(65,0)", "-99999999999999999999999999999999999999999999999999999999999999999", "0", "7"),
            List.of("DECIMAL(5,5) UNSIGNED", "0.99999", "0.00001", "0"),
            List.of("DECIMAL(18,9)", "-123456789.000000001", "-0.000000001", "999999999.999999999"),
            List.of("FLOAT", "1.1", "-0e0", "-3.4028234e38", "1.17549435e-38", "1.4e-45", "16777216", "0"),
            List.of("FLOAT(10,2)", "1.1", "-9999999.99", "12345.67"),
            List.of("DOUBLE", "0.1", "-0e0", "-1.7976931348623157e308", "2.2250738585072014e-308", "4.9e-324"),
            List.of("DOUBLE", "9007199254740993", "1e22", "123456789012345680000", "0.00001", "0"),
            List.of("DOUBLE(20,4)", "1.1", "-9999999999999999.9999", "0.0001"),
            List.of("YEAR", "0", "1901", "2155", "'0'"),
            List.of("DATE", "'0000-00-00'", "'0001-01-01'", "'9999-12-31'", "'2020-02-31'", "'2020-00-00'"),
            List.of("TIME", "'-838:59:59'", "'838:59:59'", "'00:00:00'", "'-00:00:01'"),
            List.of("TIME(1)", "'-838:59:58.9'", "'-00:00:00.1'", "'99:59:59.9'"),
            List.of("TIME(2)", "'-00:00:00.01'", "'-01:00:00.00'", "'12:34:56.78'"),
            List.of("TIME(3)", "'-00:00:01.001'", "'-01:00:00'", "'12:34:56.789'"),
            List.of("TIME(4)", "'-00:00:00.0001'", "'-100:00:00'", "'12:34:56.0789'"),
            List.of("TIME(5)", "'-00:59:59.99999'", "'00:00:00'", "'12:34:56.00001'"),
            List.of("TIME(6)", "'-838:59:58.999999'", "'-00:00:00.000001'", "'838:59:59'", "'00:00:00.000001'"),
            List.of("DATETIME", "'0000-00-00 00:00:00'", "'9999-12-31 23:59:59'", "'2020-02-30 01:02:03'"),
            List.of("DATETIME(1)", "'1000-01-01 00:00:00.1'", "'0001-01-01 00:00:00'", "'2020-00-00 00:00:00.9'"),
            List.of("DATETIME(3)", "'9999-12-31 23:59:59.999'", "'2000-01-01 00:00:00.001'"),
            List.of("DATETIME(6)", "'9999-12-31 23:59:59.999999'", "'0000-00-00 00:00:00'", "'2020-01-01 00:00:00.01'"),
            List.of("TIMESTAMP NULL", "'0000-00-00 00:00:00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"),
            List.of("TIMESTAMP(2) NULL", "'2024-02-29 23:59:59.99'", "'1970-01-01 00:00:01.01'"),
            List.of(
                    "TIMESTAMP(6) NULL",
                    "'2038-01-19 03:14:07.999999'",
                    "'0000-00-00 00:00:00'",
                    "'2000-02-29 12:00:00'"),
            List.of("BIT(1)", "0", "1"),
            List.of("BIT(8)", "255", "0"),
            List.of("BIT(33)", "8589934591", "1", "4294967296"),
            List.of("BIT(64)", "18446744073709551615", "9223372036854775808", "0"),
            List.of("ENUM('x','y','z')", "'x'", "'z'", "''", "NULL"),
            List.of("SET('a','b','c')", "''", "'a,c'", "'a,b,c'"),
            List.of("SET(" + members(64) + ")", "'m63'", "'m0,m63'", "''", "18446744073709551615"),
            List.of("ENUM(" + members(300) + ")", "'m299'", "'m0'", "'m255'"),
            List.of("BINARY(5)", "X''", "X'0000000001'", "X'0100000000'", "X'2020'"),
            List.of("VARBINARY(300)", "X''", "X'00'", "X'6100'", "REPEAT(X'ff', 300)"),
            List.of("BINARY(255)", "X''", "X'00'", "REPEAT(X'27', 255)"),
            List.of("TINYBLOB", "X''", "X'00'", "REPEAT(X'5c', 255)"),
            List.of("BLOB", "X''", "X'2000'", "REPEAT(X'00', 65535)"),
            List.of("MEDIUMBLOB", "X''", "REPEAT(X'80', 70000)"),
            List.of("LONGBLOB", "X''", "REPEAT(X'ff', 100000)"),
            List.of("POINT", "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(-0.5 1e300)')"),
            List.of("GEOMETRY", "ST_GeomFromText('LINESTRING(0 0, 1 1)')", "ST_GeomFromText('POINT(1 2)', 4326)"));

    static final List<List<String>> TEXTS = List.of(
            List.of("CHAR(10) CHARACTER SET utf8mb4", "''", "'a '", "X'f09f9880'", "'a''\\\\b'"),
            List.of("CHAR(100) CHARACTER SET utf8mb4", "''", "REPEAT(_utf8mb4 X'f09f9880', 100)"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "''", "'a  '", "'\\n'", "X'00'"),
            List.of("VARCHAR(300) CHARACTER SET utf8mb3", "''", "REPEAT(_utf8mb4 X'e4b8ad', 300)"),
            List.of("VARCHAR(300) CHARACTER SET latin1", "''", "_latin1 X'e9'", "_latin1 X'81'", "REPEAT('x', 300)"),
            List.of("CHAR(5) CHARACTER SET latin1 COLLATE latin1_bin", "''", "_latin1 X'ff20'", "_latin1 X'80'"),
            List.of("VARCHAR(20) CHARACTER SET gbk", "''", "_gbk X'b0a1'", "_gbk X'815c'", "_gbk X'b0a12020'"),
            List.of("CHAR(20) CHARACTER SET gbk COLLATE gbk_bin", "''", "_gbk X'b0a1815c'"),
            List.of(
                    "VARCHAR(20) CHARACTER SET utf16",
                    "''",
                    "_utf16 X'0041'",
                    "_utf16 X'd83dde00'",
                    "_utf16 X'00410020'"),
            List.of("CHAR(5) CHARACTER SET utf16", "''", "_utf16 X'0041'", "_utf16 X'd83dde00'"),
            List.of("VARCHAR(20) CHARACTER SET utf32", "''", "_utf32 X'0001f600'"),
            List.of("VARCHAR(20) CHARACTER SET ucs2", "''", "_ucs2 X'4e2d'"),
            List.of("VARCHAR(20) CHARACTER SET utf16le", "''", "_utf16le X'3dd800de'"),
            List.of("VARCHAR(20) CHARACTER SET sjis", "''", "_sjis X'835c'"),
            List.of("VARCHAR(20) CHARACTER SET cp932", "''", "_cp932 X'8160'", "_cp932 X'fa54'"),
            List.of("VARCHAR(20) CHARACTER SET big5", "''", "_big5 X'a45c'"),
            List.of("VARCHAR(20) CHARACTER SET euckr", "''", "_euckr X'b0a1'"),
            List.of("VARCHAR(20) CHARACTER SET koi8r", "''", "_koi8r X'c1'"),
            List.of("VARCHAR(20) CHARACTER SET ascii", "''", "'a'"),
            List.of("TINYTEXT CHARACTER SET latin1", "''", "REPEAT('x', 255)", "_latin1 X'a0'"),
            List.of("TEXT CHARACTER SET utf8mb3", "''", "REPEAT('ab', 30000)"),
            List.of("MEDIUMTEXT CHARACTER SET utf8mb4", "''", "REPEAT('ab', 50000)"),
            List.of("LONGTEXT CHARACTER SET utf16", "''", "_utf16 X'0000'"));

    static final List<List<String>> JSONS = List.of(
            List.of("JSON", "'null'", "'{}'", "'[]'", "'\"\"'", "'18446744073709551615'", "'-9223372036854775808'"),
            List.of("JSON", "'1.0'", "'-0.0'", "'1e300'", "'true'", "'{\"\": {\"a\": [1, 2.5, \"x\"]}}'", "'0.1'"),
            List.of(
                    "JSON",
                    "'{\"b\": [-32769, 65536, 4294967296], \"aa\": null, \"c\": false}'",
                    "'[\"a\\\\\"\\\\\\\\\\\\n\\\\u0001\\\\u0000\", \"\u00e9\u4e2d\ud83d\ude00\"]'"));

    private SampleColumns() {}

    private static String members(int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < number; i++) {
            text.append(i == 0 ? "" : ",").append("'m").append(i).append("'");
        }
        return text.toString();
    }
}
