package io.tributary.seed.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.seed.table.LogicalTable;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that MySQL 8.0, MySQL 9 and MariaDB compute the same hashes of equal rows, and order keys alike. */
class VerifyReleasesTest {
    private static final List<List<String>> COLUMNS = List.of(
            List.of("BIGINT UNSIGNED", "0", "18446744073709551615", "NULL"),
            List.of("INT(8) ZEROFILL", "0", "42", "4294967295"),
            List.of("DECIMAL(30,10)", "0", "-0.0000000001", "12345678901234567890.5"),
            List.of("FLOAT", "1.1", "-3.4e38", "1e-38"),
            List.of("DOUBLE", "0.1", "-1.7e308", "2.3e-308"),
            List.of("DOUBLE", "1e15", "123456789012345680000", "0.00001"),
            List.of("BIT(64)", "0", "1", "18446744073709551615"),
            List.of("TIME(6)", "'-838:59:58.999999'", "'00:00:00'", "'-00:00:00.000001'"),
            List.of("DATETIME(6)", "'1000-01-01 00:00:00'", "'9999-12-31 23:59:59.999999'", "NULL"),
            List.of("TIMESTAMP(3) NULL", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999'", "NULL"),
            List.of("YEAR", "1901", "2155", "0"),
            List.of("CHAR(10) CHARACTER SET utf8mb4", "''", "'a#b'", "'\ud83d\ude00'"),
            List.of("VARCHAR(300) CHARACTER SET latin1", "''", "'\u00e9'", "X'81'"),
            List.of("VARCHAR(20) CHARACTER SET gbk", "''", "X'b0a1'", "X'b0a2'"),
            List.of("TEXT CHARACTER SET utf8mb3", "''", "REPEAT('ab', 30000)", "NULL"),
            List.of("BINARY(4)", "X''", "X'00000001'", "NULL"),
            List.of("LONGBLOB", "X''", "REPEAT(X'ff', 100000)", "NULL"),
            List.of("ENUM('x','y','z')", "'x'", "'y'", "NULL"),
            List.of("SET('a','b','c')", "''", "'a,c'", "NULL"),
            List.of("POINT", "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(2 1)')", "NULL"));

    @Test
    void equalRowsHaveEqualHashesOnAllReleases() throws SQLException {
        try (VerifyServers servers = new VerifyServers(MysqlRelease.MARIADB_10_11, MysqlRelease.MYSQL_9)) {
            String columns = IntStream.range(0, COLUMNS.size())
                    .mapToObj(i -> ", c" + i + " " + COLUMNS.get(i).get(0))
                    .collect(Collectors.joining());
            LogicalTable table = servers.create(
                    "t",
                    "k VARCHAR(20) COLLATE utf8mb4_general_ci NOT NULL, d DATETIME(3) NOT NULL" + columns
                            + ", PRIMARY KEY (k, d)");
            List<String> rows = new ArrayList<>();
            for (int row = 0; row < 30; row++) {
                int number = row;
                rows.add("INSERT INTO v.t VALUES ('" + (char) ('a' + row % 5) + "', '2020-01-01 00:00:00.0" + (10 + row)
                        + "'"
                        + COLUMNS.stream()
                                .map(each -> ", " + each.get(1 + number % 3))
                                .collect(Collectors.joining())
                        + ")");
            }
            try (Sql first = servers.shard(0).sql();
                    Sql second = servers.shard(1).sql();
                    Sql replica = servers.replica().sql()) {
                for (Sql each : List.of(first, second, replica)) {
                    each.execute("SET sql_mode = ''");
                }
                for (int i = 0; i < rows.size(); i++) {
                    (i % 2 == 0 ? first : second).execute(rows.get(i));
                    replica.execute(rows.get(i));
                }
            }
            VerifyOptions small = new VerifyOptions(
                    VerifyOptions.Volume.chunksOf(4),
                    VerifyOptions.Mode.PLAIN,
                    VerifyOptions.standard().limit());
            assertEquals(List.of(), servers.verify(small, table).findings);
            servers.replica().execute("UPDATE v.t SET c0 = 7 WHERE d = '2020-01-01 00:00:00.021'");
            VerifyOptions.Mode repair = new VerifyOptions.Mode(false, true, VerifyOptions.Repair.RUN);
            assertEquals(1, servers.verify(small.with(repair), table).findings.size());
            assertEquals(List.of(), servers.verify(small, table).findings);
        }
    }
}
