package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that exceed their limits: their statements fail with MySQL's errors, and other sessions are not affected. */
@Timeout(60)
class SessionLimitsTest {
    private static final int STATEMENT = 1 << 16;
    private static final long SESSION = 1 << 18;
    private static final long ALL = 1 << 19;

    private final List<MysqlConnection> open = new ArrayList<>();
    private Loopback loopback;
    private MysqlConnection other;

    private static Account account(String user, Right right) {
        return Account.of(
                user,
                Optional.of(Passwords.ofText(AuthMethod.CACHING_SHA2_PASSWORD, "p")),
                Optional.empty(),
                Optional.empty(),
                new Grant(Set.of(right), List.of(), 0, 0));
    }

    @BeforeEach
    void start() {
        loopback = new Loopback(
                Loopback.settings(
                                account("u", Right.REPLICATION),
                                account("v", Right.REPLICATION),
                                account("w", Right.MONITOR),
                                account("admin", Right.ADMIN))
                        .with(Loopback.LIMITS
                                .with(new ServerSettings.Sessions(7, 2, 4, Duration.ofHours(8)))
                                .with(new ServerSettings.Memory(STATEMENT, 1 << 20, SESSION, ALL))),
                new EchoHandler());
        other = connect("v");
    }

    @AfterEach
    void othersAreServed() {
        assertEquals("still here", other.query("still here", Loopback.DEADLINE).text(0, "text"));
        open.forEach(MysqlConnection::close);
        await("the release of all memory", () -> loopback.server().heldBytes() == 0);
        loopback.close();
    }

    private MysqlConnection connect(String user) {
        MysqlConnection connection = loopback.connect(user, "p");
        open.add(connection);
        return connection;
    }

    private static void await(String expectation, BooleanSupplier condition) {
        long end = System.nanoTime() + Loopback.DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "timed out waiting for " + expectation);
            Thread.onSpinWait();
        }
    }

    private static int error(MysqlConnection connection, String sql) {
        MysqlServerError error = assertThrows(MysqlServerError.class, () -> connection.query(sql, Loopback.DEADLINE));
        return error.errorCode();
    }

    private int loginError(String user) {
        Exception failure = assertThrows(Exception.class, () -> connect(user));
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return assertThrows(MysqlServerError.class, () -> {
                    throw cause;
                })
                .errorCode();
    }

    @Test
    void aStatementThatIsTooLongFailsAndTheSessionContinues() {
        MysqlConnection connection = connect("u");
        assertEquals(1153, error(connection, "x".repeat(STATEMENT)));
        assertEquals(1153, error(connection, "x".repeat(PacketDecoder.MAX_PACKET_PAYLOAD + 1000)));
        String longest = "x".repeat(STATEMENT - 1);
        assertEquals(longest, connection.query(longest, Loopback.DEADLINE).text(0, "text"));
    }

    @Test
    void theMemoryOfASessionIsLimited() {
        MysqlConnection connection = connect("u");
        String value = "SET " + "x".repeat(STATEMENT - 8);
        assertEquals(0, connection.query(value, Loopback.DEADLINE).rows().size());
        assertEquals("ok", connection.query("ok", Loopback.DEADLINE).text(0, "text"));
        assertTrue(loopback.server().heldBytes() > STATEMENT);
    }

    @Test
    void ifAllSessionsUseAllMemoryAnotherStillHasItsOwn() {
        List<Integer> errors = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MysqlConnection connection = connect("u");
            try {
                connection.query("SET " + "x".repeat(STATEMENT - 8), Loopback.DEADLINE);
            } catch (MysqlServerError e) {
                errors.add(e.errorCode());
            }
        }
        assertFalse(errors.isEmpty());
        assertEquals(Set.of(3170), Set.copyOf(errors));
        assertEquals(0, other.query("SET slave_uuid", Loopback.DEADLINE).rows().size());
    }

    @Test
    void theSessionsOfAUserAreLimitedAndAdministratorsHaveAReserve() {
        for (int i = 0; i < 4; i++) {
            connect("u");
        }
        assertEquals(1226, loginError("u"));
        connect("w");
        connect("w");
        assertEquals(1040, loginError("w"), "there are seven sessions");
        connect("admin");
        connect("admin");
        assertEquals(1040, loginError("admin"), "there are nine sessions");
    }
}
