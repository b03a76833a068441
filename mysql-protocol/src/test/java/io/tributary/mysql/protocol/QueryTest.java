package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements and answers between Tributary's client and server. */
final class QueryTest {
    private Loopback loopback;
    private MysqlConnection connection;

    @BeforeEach
    void start() {
        loopback = new Loopback(
                Loopback.settings(Account.withPassword("u", AuthMethod.CACHING_SHA2_PASSWORD, "p"))
                        .with(Loopback.LIMITS.with(new ServerSettings.Memory(1 << 26, 1 << 26, 1 << 27, 1 << 28))),
                new EchoHandler());
        connection = loopback.connect("u", "p");
    }

    @AfterEach
    void stop() {
        connection.close();
        loopback.close();
    }

    private QueryResult ask(String sql) {
        return connection.query(sql, Loopback.DEADLINE);
    }

    @Test
    void aResultSetDistinguishesNullFromEmpty() {
        QueryResult answer = ask("select 'größe'");
        assertEquals(List.of("text", "nothing", "empty"), answer.columns());
        assertEquals("select 'größe'", answer.text(0, "text"));
        assertNull(answer.text(0, "nothing"));
        assertEquals("", answer.text(0, "empty"));
        assertEquals(1, answer.rows().size());
        assertTrue(ask("EMPTY").isEmpty());
        assertEquals(List.of("File", "Position"), ask("EMPTY").columns());
    }

    @Test
    void okContainsItsCounts() {
        QueryResult answer = ask("update t");
        assertEquals(7, answer.affectedRows());
        assertEquals(2, answer.warnings());
        assertTrue(answer.columns().isEmpty());
    }

    @Test
    void anErrorLeavesTheConnectionUsable() {
        MysqlServerError error = assertThrows(MysqlServerError.class, () -> ask("fail"));
        assertEquals(1193, error.errorCode());
        assertEquals("HY000", error.sqlState());
        assertEquals("Unknown system variable 'grün'", error.serverMessage());
        assertEquals("again", ask("again").text(0, "text"));
    }

    @Test
    void aHandlerThatThrowsAnswersWithAnError() {
        assertEquals(
                1105, assertThrows(MysqlServerError.class, () -> ask("throw")).errorCode());
        assertEquals("again", ask("again").text(0, "text"));
    }

    @Test
    void statementsAreAnsweredInTheirOrder() {
        List<CompletableFuture<QueryResult>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            answers.add(i % 7 == 0 ? connection.ping() : connection.query("q" + i));
        }
        for (int i = 0; i < answers.size(); i++) {
            QueryResult answer = Answers.of(answers.get(i));
            assertEquals(i % 7 == 0 ? 0 : 1, answer.rows().size());
            if (i % 7 != 0) {
                assertEquals("q" + i, answer.text(0, "text"));
            }
        }
    }

    @Test
    void commandsAndValuesOverSixteenMebibytesPassInBothDirections() {
        for (int length :
                new int[] {0xffffff - 2, 0xffffff - 1, 0xffffff, 0xffffff + 1, 2 * 0xffffff - 1, 40_000_000}) {
            String sql = "x".repeat(length);
            QueryResult answer = ask(sql);
            assertEquals(length, answer.rows().get(0).bytes(0).length);
            assertEquals(sql, answer.text(0, "text"));
        }
    }

    @Test
    void aKilledSessionIsLostToItsClientAndRemovedFromTheList() {
        try (MysqlConnection other = loopback.connect("u", "p")) {
            assertEquals(2, loopback.server().sessions().size());
            assertFalse(loopback.server().kill(999));
            assertTrue(loopback.server().kill(other.threadId()));
            long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
            while (loopback.server().sessions().size() > 1) { // the event loop closes it
                assertTrue(System.nanoTime() < deadline, "the killed session is still in the list");
                Thread.onSpinWait();
            }
            TributaryException lost = assertThrows(TributaryException.class, () -> Answers.of(other.query("select 1")));
            assertEquals(ErrorCode.SHARD_UNREACHABLE, lost.code());
        }
        ask("the first is still there");
    }

    @Test
    void aStatementAfterTheCloseFails() {
        connection.close();
        TributaryException lost =
                assertThrows(TributaryException.class, () -> connection.query("select 1", Duration.ofSeconds(5)));
        assertEquals(ErrorCode.SHARD_UNREACHABLE, lost.code());
    }
}
