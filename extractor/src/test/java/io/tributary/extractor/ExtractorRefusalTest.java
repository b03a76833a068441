package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.Question;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Transactions that a real server may log and Tributary cannot write become questions, with their position and without their data. */
class ExtractorRefusalTest {
    private static MysqlServer server;

    @BeforeAll
    static void startServer() throws SQLException {
        server = MysqlServer.start(MysqlOptions.named("refuse"));
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE d", "CREATE DATABASE hidden");
        server.execute("CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(20))");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** The question of the one transaction that has one; everything that the server has executed is read. */
    private static Question question(ExtractorRig rig) throws SQLException {
        List<Question> questions = rig.readAll(server).stream()
                .map(each -> each.token().question())
                .filter(Objects::nonNull)
                .toList();
        assertEquals(1, questions.size(), questions::toString);
        return questions.get(0);
    }

    @Test
    void asksAboutACompressedTransactionAboveTheLimit() throws Exception {
        server.execute("CREATE TABLE d.huge (id INT PRIMARY KEY, v LONGTEXT)");
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "SET binlog_transaction_compression = ON",
                        "INSERT INTO d.huge VALUES (1, REPEAT('a', 17000000))");
            }
            Question e = question(rig);
            assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, e.code());
            assertTrue(e.message().startsWith("shard s1 at binlog."), e.message());
        }
    }

    @Test
    void asksAboutStatementFormatWithoutShowingData() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute("SET binlog_format = STATEMENT", "INSERT INTO d.t VALUES (900, 'hush')");
            }
            Question e = question(rig);
            assertEquals(ErrorCode.STATEMENT_FORMAT, e.code());
            assertTrue(
                    e.message().matches("shard s1 at binlog\\.\\d+:\\d+ \\(GTID .*:\\d+\\): .*INSERT.*"), e.message());
            assertFalse(e.message().contains("hush"));
        }
    }

    @Test
    void asksAboutRowsThatLackColumns() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute("INSERT INTO d.t VALUES (700, 'before')");
                sql.execute("SET binlog_row_image = MINIMAL", "UPDATE d.t SET v = 'hush' WHERE id = 700");
            }
            Question e = question(rig);
            assertEquals(ErrorCode.SHARD_UNFIT, e.code());
            assertTrue(e.message().contains("d.t"), e.message());
            assertTrue(e.message().contains("binlog_row_image = FULL"), e.message());
            assertFalse(e.message().contains("hush"));
        }
    }

    @Test
    void acceptsGeneratedAndInvisibleColumnsAndKeys() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            try (Sql sql = server.sql()) {
                sql.execute(
                        "SET sql_generate_invisible_primary_key = ON",
                        "CREATE TABLE d.made (a INT, twice INT AS (a * 2), kept INT AS (a * 3) STORED, "
                                + "unseen INT DEFAULT 5 INVISIBLE, INDEX computed ((a + 1)))",
                        "INSERT INTO d.made (a) VALUES (1), (2)",
                        "UPDATE d.made SET a = 4 WHERE a = 1",
                        "DELETE FROM d.made WHERE a = 2");
            }
            rig.readAll(server);
        }
    }
}
