package io.tributary.dumper.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.pipeline.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements that real clients send, literally. */
class StatementsTest {
    private static final String UUID = "11111111-2222-3333-4444-555555555555";

    private final Map<String, String> userVariables = new HashMap<>();
    private final Statements statements = new Statements(new Facts(), Clock.SYSTEM);

    /** A node with two files. */
    private static final class Facts implements BinlogStatus {
        @Override
        public String version() {
            return "8.0.31-tributary";
        }

        @Override
        public long serverId() {
            return 4711;
        }

        @Override
        public String serverUuid() {
            return UUID;
        }

        @Override
        public String gtidExecuted() {
            return UUID + ":1-9";
        }

        @Override
        public String gtidPurged() {
            return "";
        }

        @Override
        public int port() {
            return 3307;
        }

        @Override
        public List<FileStatus> files() {
            return List.of(new FileStatus("binlog.000001", 1000), new FileStatus("binlog.000002", 157));
        }

        @Override
        public List<SessionStatus> sessions() {
            return List.of(new SessionStatus(7, "repl", "127.0.0.1:5", "Binlog Dump GTID", 3, "waiting"));
        }

        @Override
        public List<ReaderStatus> readers() {
            return List.of(new ReaderStatus(2, "", 3306, "u"));
        }
    }

    private Answer answer(String sql) {
        return statements.answer(sql, userVariables, new SqlExpression.SessionFacts() {
            @Override
            public long threadId() {
                return 7;
            }

            @Override
            public String schema() {
                return null;
            }

            @Override
            public String user() {
                return "repl@127.0.0.1";
            }

            @Override
            public String newUuid() {
                return UUID;
            }
        });
    }

    private List<String> row(String sql) {
        Answer.Rows rows = assertInstanceOf(Answer.Rows.class, answer(sql), sql);
        assertEquals(1, rows.rows().size(), sql);
        assertEquals(rows.columns().size(), rows.rows().get(0).size(), sql);
        return rows.rows().get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT @@GLOBAL.SERVER_ID|4711",
                "select @@server_id|4711",
                "SELECT @@server_id as server_id|4711",
                "SELECT @@GLOBAL.GTID_MODE|ON",
                "SELECT @@GLOBAL.SERVER_UUID|" + UUID,
                "SELECT VERSION()|8.0.31-tributary",
                "SELECT VERSION() AS version;|8.0.31-tributary",
                "SELECT version()|8.0.31-tributary",
                "select @@global.binlog_checksum|CRC32",
                "select @@GLOBAL.binlog_checksum as checksum|CRC32",
                "SELECT @@global.gtid_executed|" + UUID + ":1-9",
                "SELECT 1|1",
                "SELECT @@session.transaction_read_only|0",
                "SELECT @@session.transaction_isolation|REPEATABLE-READ",
                "select @@lower_case_table_names|0",
                "SELECT CONNECTION_ID()|7",
                "SELECT GTID_SUBTRACT('" + UUID + ":1-9', '" + UUID + ":1-4')|" + UUID + ":5-9",
                "SELECT GTID_SUBSET('" + UUID + ":1-3', '" + UUID + ":1-4')|1",
                "SELECT TIME_TO_SEC(TIMEDIFF(NOW(), UTC_TIMESTAMP()))|0",
                "SELECT `@@x`|no",
            })
    void selectsOneValue(String sql, String expected) {
        if ("no".equals(expected)) {
            assertThrows(SqlRefusal.class, () -> answer(sql));
        } else {
            assertEquals(List.of(expected), row(sql));
        }
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET @master_heartbeat_period = 30000001024, @source_heartbeat_period = 30000001024",
                "SET @slave_uuid = 'a', @replica_uuid = 'a'",
                "set @slave_uuid=uuid()",
                "SET @mariadb_slave_capability='4'",
                "set wait_timeout=9999999",
                "set names 'binary'",
                "SET NAMES utf8",
                "SET AUTOCOMMIT = 0",
                "SET autocommit=1",
                "SET character_set_results = NULL",
                "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "SET SESSION lock_wait_timeout=10",
                "/*!40100 SET @@SQL_MODE='' */",
                "/*!40103 SET TIME_ZONE='+00:00' */",
                "SET SESSION NET_READ_TIMEOUT= 86400, SESSION NET_WRITE_TIMEOUT= 86400",
                "FLUSH TABLES WITH READ LOCK",
                "FLUSH /*!40101 LOCAL */ TABLES",
                "UNLOCK TABLES;",
                "START TRANSACTION /*!40100 WITH CONSISTENT SNAPSHOT */",
                "COMMIT",
                "ROLLBACK",
            })
    void takesWhatClientsCannotDoWithout(String sql) {
        assertEquals(Answer.OK, answer(sql));
    }

    @Test
    void givesAUserVariableBackAsItWasSet() {
        answer(
                "SET @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum");
        assertEquals(List.of("CRC32"), row("SELECT @source_binlog_checksum"));
        assertEquals(List.of("CRC32"), row("SELECT @MASTER_binlog_checksum"));
        answer("SET @master_binlog_checksum='NONE'");
        assertEquals(List.of("NONE"), row("SELECT @master_binlog_checksum"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SHOW GLOBAL VARIABLES LIKE 'BINLOG_CHECKSUM'|binlog_checksum|CRC32",
                "show variables like 'server_id'|server_id|4711",
                "SHOW VARIABLES LIKE 'SERVER_ID'|server_id|4711",
                "SHOW VARIABLES WHERE Variable_name = 'sql_mode'|sql_mode|",
                "SHOW GLOBAL VARIABLES LIKE 'GTID_MODE'|gtid_mode|ON",
                "SHOW VARIABLES LIKE 'log_bin'|log_bin|ON",
                "SHOW VARIABLES LIKE 'read\\_only'|read_only|ON",
            })
    void showsOneVariable(String sql, String name, String value) {
        List<String> row = row(sql);
        assertEquals(name, row.get(0));
        if (value != null) {
            assertEquals(value, row.get(1));
        }
    }

    @Test
    void showsNothingForUnknownNamesAndSeveralForAList() {
        for (String sql : List.of(
                "show global variables  like 'rds\\_%'",
                "SHOW VARIABLES WHERE Variable_name IN ('nothing_enabled', 'nothing_else_enabled')")) {
            assertEquals(
                    List.of(), assertInstanceOf(Answer.Rows.class, answer(sql)).rows());
        }
        Answer.Rows two = (Answer.Rows)
                answer("SHOW VARIABLES WHERE Variable_name IN ('character_set_server','collation_server')");
        assertEquals(2, two.rows().size());
    }

    @Test
    void showsTheBinlogInOldAndNewSpellings() {
        List<String> expected = List.of("binlog.000002", "157", "", "", UUID + ":1-9");
        assertEquals(expected, row("SHOW MASTER STATUS"));
        assertEquals(expected, row("show binary log status"));
        assertEquals(2, ((Answer.Rows) answer("SHOW BINARY LOGS")).rows().size());
        assertEquals(2, ((Answer.Rows) answer("SHOW MASTER LOGS")).rows().size());
        assertEquals("7", row("SHOW FULL PROCESSLIST").get(0));
        assertEquals("2", row("SHOW REPLICAS").get(0));
        assertEquals("2", row("SHOW SLAVE HOSTS").get(0));
    }

    @Test
    void killNamesAThread() {
        assertEquals(new Answer.Kill(12), answer("KILL 12"));
        assertEquals(new Answer.Kill(12), answer("kill connection 12;"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT @@global.rpl_semi_sync_elsewhere_enabled|1193",
                "SELECT @@nothing|1193",
                "DROP TABLE t|1064",
                "SELECT * FROM t|1064",
                "SELECT 1 FROM t|1235",
                "SELECT binlog_gtid_pos('binlog.000001',4)|1305",
                "SET GLOBAL read_only = 0|1227",
                "SELECT 'abc|1064",
                "SHOW NOTHING|1064",
                ";|1065",
            })
    void refusesWithMysqlsOwnNumbers(String sql, int number) {
        assertEquals(number, assertThrows(SqlRefusal.class, () -> answer(sql)).number(), sql);
    }
}
