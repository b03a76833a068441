package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.RawClient;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several statements in one command, sent by Connector/J, by mysql 9, and as packets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ManyStatementsTest {
    private static final int MANY = 5_000;
    private static final byte SET_OPTION = 0x1b;
    private static final byte QUERY = 3;

    @TempDir
    private static Path folder;

    private ServedBinlog binlog;

    @BeforeAll
    void start() throws Exception {
        binlog = new ServedBinlog(folder, ServedBinlog.DUMPS).write(3);
    }

    @AfterAll
    void end() {
        binlog.close();
    }

    private Connection connect(boolean multi) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + binlog.port() + "/?allowPublicKeyRetrieval=true&sslMode=DISABLED"
                        + "&allowMultiQueries=" + multi,
                "reader",
                "secret");
    }

    /** The first value of each result, or OK, up to the end of the list or its error. */
    private static List<String> answers(Connection connection, String sql) throws SQLException {
        List<String> answers = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean isResult = statement.execute(sql);
            while (isResult || statement.getUpdateCount() >= 0) {
                if (isResult) {
                    try (ResultSet rows = statement.getResultSet()) {
                        answers.add(rows.next() ? rows.getString(1) : "no row");
                    }
                } else {
                    answers.add("OK");
                }
                isResult = statement.getMoreResults();
            }
        } catch (SQLException e) {
            answers.add(Integer.toString(e.getErrorCode()));
        }
        return answers;
    }

    @Test
    void eachStatementOfTheListIsAnswered() throws SQLException {
        try (Connection connection = connect(true)) {
            assertEquals(
                    List.of("1", "OK", "a;b", "OK", "7"),
                    answers(
                            connection,
                            "SELECT 1; SET @x = 7; /* ; */ SELECT 'a;b' -- ;\n; SET NAMES utf8mb4;SELECT @x ; "));
            assertEquals(List.of("3"), answers(connection, "SELECT 3"), "the session continues");
        }
    }

    @Test
    void anErrorEndsTheList() throws SQLException { // Connector/J reads the whole list first, and then throws
        try (Connection connection = connect(true)) {
            assertEquals(List.of("1290"), answers(connection, "SET @a = 1; DROP TABLE t; SET @a = 2"));
            assertEquals(List.of("1"), answers(connection, "SELECT @a"));
            assertEquals(List.of("1065"), answers(connection, "SELECT 1;;SELECT 2"));
            assertEquals(List.of("1064"), answers(connection, "SELECT 1; SELECT 'x"));
        }
    }

    @Test
    void withoutTheCapabilityAListIsRefused() throws SQLException {
        try (Connection connection = connect(false)) {
            assertEquals(List.of("1064"), answers(connection, "SELECT 1; SELECT 2"));
        }
    }

    @Test
    void aListOfThousandsIsAnswered() throws SQLException {
        try (Connection connection = connect(true)) {
            List<String> answers = answers(connection, String.join(";", Collections.nCopies(MANY, "SHOW VARIABLES")));
            assertEquals(Collections.nCopies(MANY, "auto_increment_increment"), answers);
        }
    }

    @Test
    void mysqlSendsAList() throws Exception {
        List<String> command =
                new ArrayList<>(MysqlRelease.MYSQL_9.distribution().program("mysql"));
        command.addAll(List.of(
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + binlog.port(),
                "--user=reader",
                "--password=secret",
                "--ssl-mode=REQUIRED",
                "--skip-column-names",
                "--delimiter=//",
                "--execute",
                "SELECT 'one'; SHOW GRANTS; SHOW STATUS LIKE 'Ssl_cipher'; SELECT CURRENT_USER(), USER()//"));
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertEquals(0, outcome.status(), outcome.output());
        assertTrue(outcome.output().contains("one\n"), outcome.output());
        assertTrue(outcome.output().contains("REPLICATION SLAVE"), outcome.output());
        assertTrue(outcome.output().contains("Ssl_cipher\tTLS_AES_"), outcome.output());
        assertTrue(outcome.output().contains("reader@%\treader@127.0.0.1"), outcome.output());
    }

    /** COM_SET_OPTION changes the session; the marks "more results follow" are in the answers. */
    @Test
    void theOptionOfASessionAllowsLists() throws Exception {
        try (ServedBinlog other =
                new ServedBinlog(folder.resolve("other"), ServedBinlog.DUMPS, "serve.native-password = true")) {
            other.write(1);
            try (Socket socket = RawClient.login(other.port(), "reader", "secret")) {
                assertEquals(1064, RawClient.error(asked(socket, query("SET @a = 1; SET @a = 2"))));
                assertEquals(0xfe, asked(socket, new byte[] {SET_OPTION, 0, 0})[0] & 0xff);
                assertTrue(hasMore(asked(socket, query("SET @a = 1; SET @a = 2"))));
                assertFalse(hasMore(RawClient.answer(socket.getInputStream())));
                assertEquals(1047, RawClient.error(asked(socket, new byte[] {SET_OPTION, 2, 0})));
                asked(socket, new byte[] {SET_OPTION, 1, 0});
                assertEquals(1064, RawClient.error(asked(socket, query("SET @a = 1; SET @a = 2"))));
            }
        }
    }

    private static byte[] query(String sql) {
        byte[] text = (" " + sql).getBytes(StandardCharsets.UTF_8);
        text[0] = QUERY;
        return text;
    }

    private static byte[] asked(Socket socket, byte[] command) throws Exception {
        socket.getOutputStream().write(RawClient.packet(0, command));
        return RawClient.answer(socket.getInputStream());
    }

    private static boolean hasMore(byte[] ok) {
        assertEquals(0, ok[0], "an OK packet");
        return (ok[3] & 8) != 0;
    }
}
