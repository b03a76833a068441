package io.tributary.apply;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A target that writes no binlog: there the server ends a transaction with a GTID at its first BINLOG statement. */
class ApplyWithoutBinlogTest {
    private static final int ROW = 200_000;

    @ParameterizedTest
    @CsvSource({
        "MYSQL_8_0_31, EVENTS, NONE, 16777216",
        "MYSQL_8_0_31, EVENTS, STRICT, 1048576",
        "MYSQL_5_7_22, EVENTS, NONE, 1048576",
        "MYSQL_8_0_31, SQL, NONE, 1048576"
    })
    void aTransactionOfSeveralPiecesIsWhole(MysqlRelease release, ApplyBackend backend, ApplyOrder order, long bytes)
            throws Exception {
        ApplyPlan.Settings settings = new ApplyPlan.Settings(
                backend, order, ApplyDependency.WRITESET, false, new ApplyPlan.Limits(4, 4, 100, bytes));
        try (ApplyRig rig = new ApplyRig(
                MysqlOptions.named("target").of(release).with("--skip-log-bin", "--skip-log-slave-updates"))) {
            try (Sql source = rig.source().sql()) {
                source.execute(
                        "CREATE DATABASE d CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
                        "CREATE TABLE d.mark (id BIGINT PRIMARY KEY)",
                        "CREATE TABLE d.big (id INT PRIMARY KEY, t LONGTEXT)",
                        "INSERT INTO d.big VALUES (0, '')",
                        "BEGIN");
                for (int i = 1; i <= 12; i++) {
                    source.execute("INSERT INTO d.big VALUES (" + i + ", REPEAT('x', " + ROW + "))");
                }
                source.execute("COMMIT", "DELETE FROM d.big WHERE id = 7");
                if (release == MysqlRelease.MYSQL_8_0_31) { // 5.7 has no such statement in a transaction
                    source.execute("CREATE TABLE d.copied (PRIMARY KEY (id)) SELECT * FROM d.big");
                }
                source.execute("INSERT INTO d.mark VALUES (1)");
            }
            rig.start(settings, ApplyNames.ALL, Optional.empty());
            rig.awaitMark("d.mark", 1);
            rig.requireEqual("d");
        }
    }
}
