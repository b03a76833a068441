package io.tributary.serve.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.FixedSession;
import io.tributary.serve.FixedStatus;
import io.tributary.serve.schema.SchemaQuestion;
import io.tributary.serve.schema.SchemaSource;
import io.tributary.serve.sql.SqlRefusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cases that are not in client-statements.txt: values, names, and variables that are kept. */
class StatementsTest {
    private final Map<String, String> userVariables = new HashMap<>();
    private final Map<String, String> learned = new HashMap<>();
    private final Statements statements =
            new Statements(new FixedStatus(), new StatementServices(null, NodeTables.NONE, new Shard()), Clock.SYSTEM);

    /** A shard that reports variables. */
    private final class Shard implements SchemaSource {
        @Override
        public CompletableFuture<ResultSet> ask(SchemaQuestion question) {
            return SchemaSource.NONE.ask(question);
        }

        @Override
        public Map<String, String> variables() {
            return learned;
        }
    }

    private Answer answer(String sql) {
        return statements.answer(sql, userVariables, new FixedSession(null));
    }

    private List<String> row(String sql) {
        Answer.Rows rows = assertInstanceOf(Answer.Rows.class, answer(sql), sql);
        assertEquals(1, rows.rows().size(), sql);
        assertEquals(rows.columns().size(), rows.rows().get(0).size(), sql);
        return rows.rows().get(0);
    }

    @Test
    void answersTheFirstStatementOfTheJdbcDriver() {
        String sql = "/* mysql-connector-j-9.1.0 (Revision: abc) */SELECT  @@session.auto_increment_increment AS"
                + " auto_increment_increment, @@character_set_client AS character_set_client, @@character_set_connection"
                + " AS character_set_connection, @@character_set_results AS character_set_results, @@character_set_server"
                + " AS character_set_server, @@collation_server AS collation_server, @@collation_connection AS"
                + " collation_connection, @@init_connect AS init_connect, @@interactive_timeout AS interactive_timeout,"
                + " @@license AS license, @@lower_case_table_names AS lower_case_table_names, @@max_allowed_packet AS"
                + " max_allowed_packet, @@net_write_timeout AS net_write_timeout, @@performance_schema AS"
                + " performance_schema, @@sql_mode AS sql_mode, @@system_time_zone AS system_time_zone, @@time_zone AS"
                + " time_zone, @@transaction_isolation AS transaction_isolation, @@wait_timeout AS wait_timeout";
        Answer.Rows rows = assertInstanceOf(Answer.Rows.class, answer(sql));
        assertEquals(19, rows.columns().size());
        assertEquals("auto_increment_increment", rows.columns().get(0));
        assertEquals(List.of("28800"), rows.rows().get(0).subList(18, 19));
    }

    @Test
    void returnsAUserVariableAsItWasSet() {
        answer(
                "SET @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum");
        assertEquals(List.of("CRC32"), row("SELECT @source_binlog_checksum"));
        assertEquals(List.of("CRC32"), row("SELECT @MASTER_binlog_checksum"));
        answer("SET @master_binlog_checksum='NONE'");
        assertEquals(List.of("NONE"), row("SELECT @master_binlog_checksum"));
        answer("SET @master_binlog_checksum=NULL");
        assertNull(row("SELECT @master_binlog_checksum").get(0));
    }

    @Test
    void showsTheVariablesThatTheShardReports() {
        assertEquals(List.of("utf8mb4"), row("SELECT @@character_set_server"));
        learned.put("character_set_server", "latin1");
        assertEquals(List.of("latin1"), row("SELECT @@character_set_server"));
        assertEquals(List.of("character_set_server", "latin1"), row("SHOW VARIABLES LIKE 'character\\_set\\_server'"));
    }

    @Test
    void showsBothSpellingsOfTheSameRows() {
        List<String> expected = List.of("binlog.000002", "157", "", "", FixedStatus.UUID + ":1-9");
        assertEquals(expected, row("SHOW MASTER STATUS"));
        assertEquals(expected, row("show binary log status"));
        assertEquals(
                "Source_Id", ((Answer.Rows) answer("SHOW REPLICAS")).columns().get(3));
        assertEquals(
                "Master_id",
                ((Answer.Rows) answer("SHOW SLAVE HOSTS")).columns().get(3));
    }

    @Test
    void killNamesAThreadOrOnlyItsStatement() {
        assertEquals(new Answer.Kill(12, false), answer("kill connection 12;"));
        assertEquals(new Answer.Kill(12, true), answer("KILL QUERY 12"));
        assertEquals(
                1094,
                assertThrows(SqlRefusal.class, () -> answer("KILL 'me'"))
                        .packet()
                        .code());
    }

    @Test
    void withoutASchemaInUseATableNeedsOne() {
        assertEquals(
                1046,
                assertThrows(SqlRefusal.class, () -> answer("SHOW TABLES"))
                        .packet()
                        .code());
        assertEquals(
                1046,
                assertThrows(SqlRefusal.class, () -> answer("DESC orders"))
                        .packet()
                        .code());
    }

    @Test
    void anUnsupportedStatementIsNamed() {
        String message = assertThrows(SqlRefusal.class, () -> answer("FROBNICATE THE binlog"))
                .getMessage();
        assertEquals(true, message.contains("FROBNICATE"), message);
    }
}
