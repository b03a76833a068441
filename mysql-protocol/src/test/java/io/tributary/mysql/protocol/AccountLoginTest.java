package io.tributary.mysql.protocol;

import static io.tributary.mysql.protocol.auth.AuthMethod.CACHING_SHA2_PASSWORD;
import static io.tributary.mysql.protocol.auth.AuthMethod.MYSQL_NATIVE_PASSWORD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.NetUtil;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts of a users file: salted passwords, networks, limits; and the limits of connections before the login. */
final class AccountLoginTest {
    private static Account salted(String user, Grant grant) {
        return Account.of(user, Optional.of(Passwords.salted("söcret")), Optional.empty(), Optional.empty(), grant);
    }

    private static Grant from(String network, int connections) {
        return new Grant(Set.of(Right.REPLICATION), List.of(Network.parse(network)), connections, 0);
    }

    private static int refusal(Loopback loopback, String user, String password) {
        return assertThrows(
                        MysqlServerError.class,
                        () -> loopback.connect(user, password).close())
                .errorCode();
    }

    @Test
    void aSaltedPasswordIsRequestedOnceAndProvenFromThenOn() {
        PasswordHash hash = Passwords.parseSalted(Passwords.salted("söcret").text());
        Account account = Account.of("u", Optional.of(hash), Optional.empty(), Optional.empty(), Grant.ALL);
        try (Loopback loopback = Loopback.with(new EchoHandler(), account)) {
            assertEquals(1045, refusal(loopback, "u", "wrong"));
            assertTrue(hash.digest().isEmpty(), "a wrong password sets no digest");
            loopback.connect("u", "söcret").close();
            assertTrue(hash.digest().isPresent());
            loopback.connect("u", "söcret").close();
            assertEquals(1045, refusal(loopback, "u", "wrong"));
            assertEquals(1045, refusal(loopback, "u", ""));
            assertEquals(3, loopback.server().refusedLogins());
        }
    }

    @Test
    void nativePasswordsAreForAccountsThatHaveOne() {
        Account both = Account.of(
                "both",
                Optional.of(Passwords.salted("p")),
                Optional.of(Passwords.parseNative(
                        Passwords.ofText(MYSQL_NATIVE_PASSWORD, "p").text())),
                Optional.empty(),
                Grant.ALL);
        try (Loopback loopback = Loopback.with(new EchoHandler(), both, salted("sha2", Grant.ALL))) {
            loopback.connect("both", "p").close();
            assertEquals(0, code(loopback, "both", "p"), "an old client is accepted without a switch");
            assertEquals(0xfe, code(loopback, "sha2", "p"), "or switched");
            assertEquals(0xfe, code(loopback, "nobody", "p"), "also where there is no such user");
            assertEquals(0xfe, code(loopback, "both", ""), "a MariaDB replica waits for the switch to its own method");
        }
    }

    /** First byte of the answer to a login with mysql_native_password; without a proof for the password "". */
    private static int code(Loopback loopback, String user, String password) {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), loopback.server().address().getPort())) {
            socket.setSoTimeout((int) Loopback.DEADLINE.toMillis());
            InputStream in = socket.getInputStream();
            byte[] greeting = in.readNBytes(in.readNBytes(4)[0] & 0xff);
            byte[] nonce = new byte[20];
            int at = new String(greeting, StandardCharsets.ISO_8859_1).indexOf('\0') + 5;
            System.arraycopy(greeting, at, nonce, 0, 8);
            System.arraycopy(greeting, at + 8 + 19, nonce, 8, 12);
            byte[] proof = password.isEmpty() ? new byte[0] : MYSQL_NATIVE_PASSWORD.proof(password, nonce);
            socket.getOutputStream().write(Hellos.of(user, proof, "mysql_native_password"));
            byte[] answer = in.readNBytes(5);
            assertEquals(5, answer.length);
            return answer[4] & 0xff;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void networksAreChecked() {
        Account[] accounts = {
            salted("here", from("127.0.0.0/8", 0)), salted("there", from("10.0.0.0/8", 0)),
        };
        try (Loopback loopback = Loopback.with(new EchoHandler(), accounts)) {
            loopback.connect("here", "söcret").close();
            assertEquals(1045, refusal(loopback, "there", "söcret"));
        }
    }

    @Test
    void anAccountHasAtMostItsNumberOfConnections() {
        Account[] accounts = {salted("few", from("127.0.0.1", 2)), salted("other", Grant.ALL)};
        try (Loopback loopback = Loopback.with(new EchoHandler(), accounts)) {
            List<MysqlConnection> open = new ArrayList<>();
            open.add(loopback.connect("few", "söcret"));
            open.add(loopback.connect("few", "söcret"));
            open.add(loopback.connect("other", "söcret"));
            assertEquals(1226, refusal(loopback, "few", "söcret"));
            open.remove(0).close();
            long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
            while (loopback.server().sessions().size() > 2) {
                assertTrue(System.nanoTime() < deadline, "a session does not end");
                Thread.onSpinWait();
            }
            loopback.connect("few", "söcret").close();
            open.forEach(MysqlConnection::close);
        }
    }

    @Test
    void connectionsBeforeTheLoginAreLimited() throws Exception {
        Account account = salted("u", Grant.ALL);
        try (Loopback before = Loopback.with(new EchoHandler(), account)) {
            before.connect("u", "söcret").close(); // from here on a login is short
        }
        ServerSettings settings = Loopback.settings(account)
                .with(Loopback.LIMITS.with(Loopback.LIMITS.logins().with(4, Duration.ofSeconds(1), false)));
        try (Loopback loopback = new Loopback(settings, new EchoHandler())) {
            List<Socket> silent = new ArrayList<>();
            List<MysqlConnection> in = new ArrayList<>();
            for (int i = 0; i < 3; i++) { // logged-in sessions do not count
                in.add(loopback.connect("u", "söcret"));
            }
            for (int i = 0; i < 2; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        loopback.server().address().getPort());
                assertTrue(socket.getInputStream().read() > 0, "it receives a greeting");
                silent.add(socket);
            }
            assertEquals(1040, refusal(loopback, "u", "söcret"), "half of them from one host");
            assertEquals(-1, drained(silent.get(0)), "a silent client is disconnected in time");
            assertEquals(-1, drained(silent.get(1)));
            loopback.connect("u", "söcret").close();
            in.forEach(MysqlConnection::close);
        }
    }

    private static int drained(Socket socket) throws Exception {
        try (socket) {
            socket.getInputStream().readAllBytes();
            return socket.getInputStream().read();
        }
    }

    @Test
    void guessingIsSlowedDown() {
        ServerSettings settings = Loopback.settings(salted("u", Grant.ALL))
                .with(Loopback.LIMITS.with(Loopback.LIMITS.logins().withRefusalDelay(Duration.ofMillis(400))));
        try (Loopback loopback = new Loopback(settings, new EchoHandler())) {
            for (int i = 0; i < 6; i++) {
                assertEquals(1045, refusal(loopback, "nobody", ""));
            }
            long before = System.nanoTime();
            assertEquals(1045, refusal(loopback, "nobody", ""));
            assertTrue(System.nanoTime() - before >= 400_000_000, "the seventh has to wait");
            loopback.connect("u", "söcret").close();
        }
    }

    @Test
    void aLoginWithoutTlsIsRefusedIfTlsIsRequired(@TempDir Path folder) throws Exception {
        ServerSettings settings = Loopback.settings(salted("u", Grant.ALL))
                .withTls(TestCertificate.in(folder).serverContext())
                .with(Loopback.LIMITS.with(Loopback.LIMITS.logins().with(64, Duration.ofSeconds(5), true)));
        try (Loopback loopback = new Loopback(settings, new EchoHandler())) {
            assertEquals(3159, refusal(loopback, "u", "söcret"));
            loopback.connect(loopback.endpoint("u", "söcret").with(TlsMode.REQUIRED))
                    .close();
        }
    }

    private static InetAddress address(String text) throws Exception {
        return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
    }

    @Test
    void networksAreParsed() throws Exception {
        assertTrue(Network.parse("10.0.0.0/8").contains(address("10.255.0.1")));
        assertFalse(Network.parse("10.0.0.0/8").contains(address("11.0.0.1")));
        assertTrue(Network.parse("192.168.4.0/22").contains(address("192.168.7.255")));
        assertFalse(Network.parse("192.168.4.0/22").contains(address("192.168.8.0")));
        assertTrue(Network.parse("fd00::/8").contains(address("fdff::1")));
        assertFalse(Network.parse("fd00::/8").contains(address("fe00::1")));
        assertFalse(Network.parse("fd00::/8").contains(address("ff00::1")));
        assertTrue(Network.parse("fc00::/7").contains(address("fd00::1")));
        assertFalse(Network.parse("fc00::/7").contains(address("fe80::1")));
        assertFalse(Network.parse("2000::/3").contains(address("fd00::1")));
        assertTrue(Network.parse("::1").contains(address("::1")));
        assertFalse(Network.parse("::1").contains(address("127.0.0.1")));
        assertTrue(Network.parse("::ffff:10.1.0.0/112").contains(address("10.1.2.3")));
        assertFalse(Network.parse("::ffff:10.1.0.0/112").contains(address("10.2.2.3")));
        assertTrue(Network.parse("0.0.0.0/0").contains(address("8.8.8.8")));
        assertFalse(Network.parse("0.0.0.0/0").contains(address("::1")));
        for (String wrong :
                new String[] {"", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10/8", "::/129"}) {
            assertThrows(IllegalArgumentException.class, () -> Network.parse(wrong), wrong);
        }
    }

    @Test
    void theStoredFormOfAPasswordDoesNotRevealIt() {
        String text = Passwords.salted("söcret").text();
        assertFalse(text.equals(Passwords.salted("söcret").text()), "each has its own salt");
        assertTrue(Passwords.parseSalted(text).accepts("söcret"));
        assertFalse(Passwords.parseSalted(text).accepts("secret"));
        assertFalse(Passwords.parseSalted(text).accepts(""));
        assertEquals(
                "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19",
                Passwords.ofText(MYSQL_NATIVE_PASSWORD, "password").text(),
                "MySQL's form");
        assertEquals(32, CACHING_SHA2_PASSWORD.digest("x").length);
        for (String wrong : new String[] {"", "pbkdf2-sha256:5:AAAA:BBBB", text + "x", text.replace(":", ";")}) {
            assertThrows(IllegalArgumentException.class, () -> Passwords.parseSalted(wrong), wrong);
        }
    }
}
