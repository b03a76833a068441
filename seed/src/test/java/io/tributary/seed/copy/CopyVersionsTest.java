package io.tributary.seed.copy;

import io.tributary.common.value.TableName;
import io.tributary.seed.table.LogicalTable;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies between other versions of servers. */
class CopyVersionsTest {
    @ParameterizedTest
    @CsvSource({"MYSQL_8_0_31, MYSQL_9", "MARIADB_10_11, MARIADB_10_11"})
    void valuesAreCopiedExactly(MysqlRelease shard, MysqlRelease target) throws SQLException {
        try (CopyRig rig = new CopyRig(shard, target)) {
            rig.newDatabase("d");
            String own = shard.isMariadb() ? "UUID" : "BINARY(16)";
            try (Sql sql = rig.shard.sql()) {
                sql.execute(
                        "SET NAMES utf8mb4, sql_mode = '', time_zone = '+00:00'",
                        "USE d",
                        "CREATE TABLE t (a VARCHAR(9) CHARACTER SET utf8mb3, b " + own
                                + ", f FLOAT, g DOUBLE, i DECIMAL(30,10),"
                                + " k BIT(64), e ENUM('x','y'), s SET('p','q'), d DATETIME(6), ts TIMESTAMP(3) NULL, ti TIME(6), y YEAR,"
                                + " j JSON, u VARCHAR(20) CHARACTER SET utf16, bl BLOB, ge GEOMETRY, n INT AS (1 + 1) STORED,"
                                + " PRIMARY KEY (a, b))",
                        "INSERT INTO t (a, b, f, g, i, k, e, s, d, ts, ti, y, j, u, bl, ge) VALUES ('é', '11111111-2222-3333-4444-555555555555',"
                                + " 1.1, -0e0, 1.5, 18446744073709551615, 'none', 'p,q', '0000-00-00', '0000-00-00', '-838:59:59', 0,"
                                + " '{\"a\": \"\\'\\\\\\\\\"}', _utf16 x'D83DDE00', x'00275c5c27ff', ST_GeomFromText('POINT(1 2)'))",
                        "INSERT INTO t (a, b) VALUES ('', '21111111-2222-3333-4444-555555555555'), ('A', '31111111-2222-3333-4444-555555555555'),"
                                + " ('b''', '31111111-2222-3333-4444-555555555556')");
            }
            LogicalTable made = rig.table(new TableName("d", "t"));
            rig.copyInChunks(made, 1);
            rig.assertSame(made);
        }
    }
}
