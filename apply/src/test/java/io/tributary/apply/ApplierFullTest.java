package io.tributary.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.testkit.server.MysqlOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A target without room for more rows: all its tables are in one file, which may not grow over a limit. */
class ApplierFullTest {
    private static final int ROWS = 400;
    private static final int ROW_BYTES = 40_000;

    private ApplyRig rig;

    @BeforeEach
    void startServers() {
        rig = new ApplyRig(MysqlOptions.named("target")
                .with("--innodb-file-per-table=0", "--innodb-data-file-path=ibdata1:12M:autoextend:max:30M"));
    }

    @AfterEach
    void stopServers() {
        rig.close();
    }

    @ParameterizedTest
    @EnumSource(ApplyBackend.class)
    void nothingIsLostWhenTheTargetIsFull(ApplyBackend backend) throws Exception {
        rig.target()
                .execute(
                        "SET sql_log_bin = 0",
                        "CREATE DATABASE e",
                        "CREATE TABLE e.filler (id INT PRIMARY KEY AUTO_INCREMENT, b LONGBLOB)",
                        "INSERT INTO e.filler (b) VALUES (REPEAT('x', 14000000))",
                        "SET sql_log_bin = 1");
        rig.source()
                .execute(
                        "CREATE DATABASE d",
                        "CREATE TABLE d.mark (id BIGINT PRIMARY KEY)",
                        "CREATE TABLE d.a (id INT PRIMARY KEY, b LONGBLOB)");
        for (int i = 0; i < ROWS; i++) {
            rig.source().execute("INSERT INTO d.a VALUES (" + i + ", REPEAT('" + i % 10 + "', " + ROW_BYTES + "))");
        }
        ApplyPlan.Settings settings = ApplyRig.settings(backend, ApplyOrder.NONE);
        rig.start(settings);
        TributaryException error = assertInstanceOf(TributaryException.class, rig.awaitFailure());
        assertEquals(ErrorCode.TARGET_FAILED, error.code(), error.toString());
        assertTrue(error.getMessage().contains("The table 'a' is full"), error.getMessage());

        rig.target().execute("SET sql_log_bin = 0", "DROP TABLE e.filler", "SET sql_log_bin = 1");
        rig.start(settings);
        rig.source().execute("INSERT INTO d.mark VALUES (1)");
        rig.awaitMark("d.mark", 1);
        rig.requireEqual("d");
    }
}
