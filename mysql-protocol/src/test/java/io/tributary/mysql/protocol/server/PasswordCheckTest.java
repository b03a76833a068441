package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.server.PasswordCheck.Outcome;
import io.tributary.mysql.protocol.server.PasswordCheck.Step;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients that name no method, answered as MySQL answers them (sql_authentication.cc, parse_client_handshake_packet). */
class PasswordCheckTest {
    private static final String PASSWORD = "secret";
    private static final ServerSecrets SECRETS = new ServerSecrets();

    private final byte[] nonce = SECRETS.nonce();

    private static Account account(AuthMethod method) {
        return Account.withPassword("reader", method, PASSWORD);
    }

    private Step begin(Optional<Account> account, int capabilities) {
        byte[] proof = AuthMethod.MYSQL_NATIVE_PASSWORD.proof(PASSWORD, nonce);
        return new PasswordCheck(account, SECRETS, nonce, false)
                .begin(new ClientHello(capabilities, "reader", proof, "", "", Map.of(), 3));
    }

    @Test
    void aClientWithPluginsIsSwitchedToTheMethodOfItsUser() {
        for (AuthMethod method : AuthMethod.values()) {
            Step step = begin(Optional.of(account(method)), Capabilities.PLUGIN_AUTH);
            assertEquals(Outcome.CONTINUES, step.outcome());
            assertEquals((byte) 0xfe, step.reply()[0]);
            int end = 1 + method.pluginName().length();
            assertEquals(
                    method.pluginName(),
                    new String(Arrays.copyOfRange(step.reply(), 1, end), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aClientWithoutPluginsProvesANativePassword() {
        assertEquals(
                Outcome.ACCEPTED,
                begin(Optional.of(account(AuthMethod.MYSQL_NATIVE_PASSWORD)), 0).outcome());
    }

    /** The client cannot see which users exist either. */
    @Test
    void aClientWithoutPluginsIsTooOldForOtherMethods() {
        assertEquals(
                Outcome.TOO_OLD,
                begin(Optional.of(account(AuthMethod.CACHING_SHA2_PASSWORD)), 0).outcome());
        assertEquals(Outcome.TOO_OLD, begin(Optional.empty(), 0).outcome());
    }
}
