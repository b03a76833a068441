package io.tributary.apply;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Targets of other releases. */
class ApplyServersTest {
    @ParameterizedTest
    @CsvSource({
        "MYSQL_5_7_22, EVENTS, STRICT",
        "MYSQL_5_7_22, SQL, NONE",
        "MARIADB_10_11, EVENTS, NONE",
        "MARIADB_10_11, SQL, STRICT"
    })
    void theTargetBecomesEqual(MysqlRelease release, ApplyBackend backend, ApplyOrder order) throws Exception {
        try (ApplyRig rig = new ApplyRig(MysqlOptions.named("target").of(release))) {
            try (Sql source = rig.source().sql()) {
                source.execute(
                        "CREATE DATABASE d CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
                        "CREATE TABLE d.mark (id BIGINT PRIMARY KEY)",
                        "CREATE TABLE d.a (id INT PRIMARY KEY, u INT UNIQUE, t VARCHAR(40), n DECIMAL(10,3), at DATETIME(6))");
                for (int i = 0; i < 200; i++) {
                    source.execute(
                            "REPLACE INTO d.a VALUES (" + i % 50 + ", " + i + ", 'é" + i + "', " + i + " / 7, NOW(6))");
                }
                source.execute(
                        "ALTER TABLE d.a ADD COLUMN w INT NOT NULL DEFAULT 5",
                        "UPDATE d.a SET w = id",
                        "DELETE FROM d.a WHERE id < 10",
                        "INSERT INTO d.mark VALUES (1)");
            }
            rig.start(ApplyRig.settings(backend, order), ApplyNames.ALL, Optional.empty());
            rig.awaitMark("d.mark", 1);
            rig.requireEqual("d");
        }
    }
}
