package io.tributary.mysql.protocol;

import static io.tributary.mysql.protocol.auth.AuthMethod.CACHING_SHA2_PASSWORD;
import static io.tributary.mysql.protocol.auth.AuthMethod.MYSQL_NATIVE_PASSWORD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslContext;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.client.ClientTls;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.TlsMode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tributary's client logs in to Tributary's server, in every way that both implement. */
final class LoginTest {
    private static final String PASSWORD = "a secret, längér than the nönce of 20 bytes";

    @TempDir
    static Path directory;

    private static Loopback plain;
    private static Loopback secure;
    private static TestCertificate certificate;

    @BeforeAll
    static void start() throws Exception {
        Account[] accounts = {
            Account.withPassword("sha2", CACHING_SHA2_PASSWORD, PASSWORD),
            Account.withPassword("full", CACHING_SHA2_PASSWORD, PASSWORD).askingForPassword(),
            Account.withPassword("native", MYSQL_NATIVE_PASSWORD, PASSWORD),
            Account.withDigest("digest", CACHING_SHA2_PASSWORD, CACHING_SHA2_PASSWORD.digest(PASSWORD)),
            Account.withPassword("open", CACHING_SHA2_PASSWORD, ""),
            Account.withPassword("open-native", MYSQL_NATIVE_PASSWORD, ""),
        };
        certificate = TestCertificate.in(directory);
        SslContext tls = certificate.serverContext();
        plain = Loopback.with(new EchoHandler(), accounts);
        secure = new Loopback(Loopback.settings(accounts).withTls(tls), new EchoHandler());
    }

    @AfterAll
    static void stop() {
        plain.close();
        secure.close();
    }

    private static void logsIn(Loopback loopback, TlsMode mode, String user, String password) {
        try (MysqlConnection connection =
                loopback.connect(loopback.endpoint(user, password).with(mode))) {
            assertEquals(mode != TlsMode.DISABLED && loopback == secure, connection.isEncrypted());
            assertEquals(Loopback.VERSION, connection.serverVersion());
            var who = connection.query("WHO AM I", Loopback.DEADLINE);
            assertEquals(user, who.text(0, "USER"));
            assertEquals(Long.toString(connection.threadId()), who.text(0, "id"));
            assertEquals("tributary", who.text(0, "client"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsMode.class,
            names = {"DISABLED", "PREFERRED"})
    void everyMethodWorksWithoutTls(TlsMode mode) {
        logsIn(plain, mode, "sha2", PASSWORD);
        logsIn(plain, mode, "full", PASSWORD);
        logsIn(plain, mode, "native", PASSWORD);
        logsIn(plain, mode, "digest", PASSWORD);
        logsIn(plain, mode, "open", "");
        logsIn(plain, mode, "open-native", "");
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsMode.class,
            names = {"DISABLED", "PREFERRED", "REQUIRED"})
    void everyMethodWorksIfTlsIsOffered(TlsMode mode) {
        logsIn(secure, mode, "sha2", PASSWORD);
        logsIn(secure, mode, "full", PASSWORD);
        logsIn(secure, mode, "native", PASSWORD);
        logsIn(secure, mode, "digest", PASSWORD);
        logsIn(secure, mode, "open", "");
        logsIn(secure, mode, "open-native", "");
    }

    @Test
    void aWrongPasswordIsRefusedWithoutRevealingWhetherTheUserExists() {
        for (Loopback loopback : new Loopback[] {plain, secure}) {
            for (TlsMode mode : new TlsMode[] {TlsMode.DISABLED, TlsMode.PREFERRED}) {
                for (String user : new String[] {"sha2", "full", "native", "open", "nobody"}) {
                    for (String password : new String[] {"wrong", ""}) {
                        if (!(user.equals("open") && password.isEmpty())) {
                            isRefused(
                                    loopback, loopback.endpoint(user, password).with(mode));
                        }
                    }
                }
            }
        }
    }

    private static void isRefused(Loopback loopback, Endpoint endpoint) {
        MysqlServerError refused = assertThrows(
                MysqlServerError.class, () -> loopback.connect(endpoint).close());
        assertEquals(1045, refused.errorCode());
        assertEquals("28000", refused.sqlState());
        assertEquals(
                "Access denied for user '" + endpoint.credentials().user() + "'@'127.0.0.1' (using password: "
                        + (endpoint.credentials().password().isEmpty() ? "NO" : "YES") + ")",
                refused.serverMessage());
    }

    @Test
    void requiredTlsFailsIfTheServerHasNone() {
        Endpoint endpoint = plain.endpoint("sha2", PASSWORD).with(TlsMode.REQUIRED);
        TributaryException failure = assertThrows(
                TributaryException.class, () -> plain.connect(endpoint).close());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
        assertTrue(failure.getMessage().contains("TLS"), failure.getMessage());
    }

    @Test
    void aCertificateIsVerifiedAgainstTheGivenAuthorities() {
        int port = secure.server().address().getPort();
        Endpoint trusting = new Endpoint(
                "localhost",
                port,
                new Credentials("full", PASSWORD),
                new ClientTls(TlsMode.VERIFY, Optional.of(certificate.pem())),
                Duration.ofSeconds(10));
        try (MysqlConnection connection = secure.connect(trusting)) {
            assertTrue(connection.isEncrypted());
        }
        Endpoint strict = secure.endpoint("full", PASSWORD).with(TlsMode.VERIFY);
        TributaryException failure = assertThrows(
                TributaryException.class, () -> secure.connect(strict).close());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
        assertTrue(failure.getMessage().contains("TLS failed"), failure.getMessage());
    }

    @Test
    void aPasswordIsNeverPrinted() {
        assertFalse(plain.endpoint("sha2", PASSWORD).toString().contains("secret"));
        assertFalse(Account.withPassword("sha2", CACHING_SHA2_PASSWORD, PASSWORD)
                .toString()
                .contains("secret"));
    }

    @Test
    void aServerWithoutAnAnswerIsUnreachable() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = new Endpoint(
                    "127.0.0.1",
                    silent.getLocalPort(),
                    new Credentials("u", "p"),
                    new ClientTls(TlsMode.DISABLED, Optional.empty()),
                    Duration.ofMillis(200));
            TributaryException failure = assertThrows(
                    TributaryException.class, () -> plain.connect(endpoint).close());
            assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
        }
        Endpoint nowhere = Endpoint.of("127.0.0.1", 1, "u", "p");
        TributaryException failure = assertThrows(
                TributaryException.class, () -> plain.connect(nowhere).close());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
    }
}
