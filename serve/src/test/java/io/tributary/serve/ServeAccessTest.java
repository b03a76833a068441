package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.ClientTls;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users, rights and TLS as clients use them, with MySQL's JDBC driver and this project's client. */
@Timeout(60)
class ServeAccessTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Grant NOTHING = new Grant(Set.of(), List.of(), 0, 0);

    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private Dumper dumper;
    private BinlogServer server;
    private Path users;

    @BeforeEach
    void write() throws Exception {
        TaskStream task = new TaskStream(1, Optional.empty());
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")).fileSize(1 << 20));
        for (int i = 0; i < 20; i++) {
            dumper.put(task.batch(50));
        }
        dumper.put(task.cut());
        dumper.run();
        users = folder.resolve("serve").resolve(UsersFile.NAME);
    }

    private void serve(String... lines) {
        server = ServeSettings.serve(folder.resolve("serve"), dumper.files(), group, lines);
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private void add(String name, Grant grant) {
        change(new UserEntry(
                name,
                new LoginMethods(Optional.of(Passwords.salted("p")), Optional.empty(), Optional.empty()),
                grant,
                TableFilter.ALL));
    }

    private void change(UserEntry entry) {
        UsersFile.change(users, all -> {
            all.put(entry.name(), entry);
            return all;
        });
    }

    private MysqlConnection connect(String user, TlsMode mode) throws Exception {
        Endpoint endpoint = new Endpoint(
                "127.0.0.1",
                server.address().getPort(),
                new Credentials(user, "p"),
                new ClientTls(mode, Optional.of(folder.resolve("serve").resolve(SelfSignedCertificate.CERTIFICATE))),
                Duration.ofSeconds(10));
        try {
            return new MysqlClient(group).connect(endpoint).get(20, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private Connection jdbc(String user, String... options) throws SQLException {
        Properties all = new Properties();
        all.setProperty("user", user);
        all.setProperty("password", "p");
        for (String option : options) {
            all.setProperty(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + server.address().getPort() + "/", all);
    }

    private static String version(Connection connection) throws SQLException {
        try (ResultSet answer = connection.createStatement().executeQuery("SELECT @@version")) {
            assertTrue(answer.next());
            return answer.getString(1);
        }
    }

    @Test
    void theDriverLogsInByTheFullPathByRsaAndByTls() throws Exception {
        serve();
        for (String[] options : new String[][] {
            {"sslMode=DISABLED", "allowPublicKeyRetrieval=true"}, {"sslMode=REQUIRED"},
        }) {
            add("fresh" + options.length, new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0));
            for (int twice = 0; twice < 2; twice++) { // the second login uses the fast path
                try (Connection connection = jdbc("fresh" + options.length, options)) {
                    assertEquals("8.0.36-tributary", version(connection));
                }
            }
        }
        try (Connection connection = jdbc("fresh2", "sslMode=DISABLED")) {
            assertEquals("8.0.36-tributary", version(connection), "fast path, so no key is needed any more");
        }
        SQLException wrong = assertThrows(SQLException.class, () -> jdbc("fresh1", "password=x", "sslMode=REQUIRED"));
        assertEquals(1045, wrong.getErrorCode());
    }

    @Test
    void theDriverVerifiesTheCertificateThatTheNodeCreated() throws Exception {
        add("u", Grant.ALL);
        serve("serve.tls.required = true");
        connect("u", TlsMode.VERIFY).close();
        assertEquals(
                3159,
                assertThrows(MysqlServerError.class, () -> connect("u", TlsMode.DISABLED))
                        .errorCode());
        SQLException plain =
                assertThrows(SQLException.class, () -> jdbc("u", "sslMode=DISABLED", "allowPublicKeyRetrieval=true"));
        assertEquals(3159, plain.getErrorCode());
    }

    @Test
    void nativePasswordsAreOnlyForUsersThatMayUseThem() throws Exception {
        change(new UserEntry(
                "old",
                new LoginMethods(
                        Optional.empty(),
                        Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, "p")),
                        Optional.empty()),
                Grant.ALL,
                TableFilter.ALL));
        serve("serve.user = both", "serve.password = p", "serve.native-password = true");
        connect("old", TlsMode.DISABLED).close();
        connect("both", TlsMode.DISABLED).close();
        jdbc("old", "sslMode=DISABLED").close();
        jdbc("both", "sslMode=DISABLED", "defaultAuthenticationPlugin=mysql_native_password")
                .close();
    }

    private static int refusal(MysqlConnection connection, String sql) {
        MysqlServerError error = assertThrows(MysqlServerError.class, () -> connection.query(sql, LIMIT), sql);
        assertTrue(error.errorCode() != 1227
                || error.serverMessage().startsWith("Access denied; you need (at least one of)"));
        return error.errorCode();
    }

    private static boolean isDenied(MysqlConnection connection, String sql) {
        try {
            connection.query(sql, LIMIT);
            return false;
        } catch (MysqlServerError error) {
            return error.errorCode() == 1227;
        }
    }

    private StreamEnd dump(String user) throws Exception {
        try (MysqlConnection connection = connect(user, TlsMode.DISABLED);
                BinlogStream stream = connection.await(
                        connection.dump(BinlogDump.after(GtidSet.EMPTY, 9, UUID.randomUUID())
                                .withoutWaiting()),
                        LIMIT)) {
            while (stream.isOpen()) {
                if (stream.poll((view, at, length) -> true, 1 << 20) == 0) {
                    Thread.onSpinWait();
                }
            }
            return stream.end().orElseThrow();
        }
    }

    @Test
    void eachRightAllowsItsStatementsAndNoOthers() throws Exception {
        String[] watch = {
            "SHOW MASTER STATUS",
            "SHOW BINARY LOGS",
            "show replicas",
            "SHOW BINARY LOG STATUS",
            "SHOW TRIBUTARY CHECKPOINT"
        };
        String[] monitor = {"SHOW FULL PROCESSLIST", "/* x */ SHOW TRIBUTARY STATUS"};
        String[] change = {
            "PURGE BINARY LOGS TO 'x'",
            "FLUSH PRIVILEGES",
            "SET STATEMENT max_statement_time=1 FOR PURGE BINARY LOGS TO 'x'",
            "SET STATEMENT a=FOR FOR PURGE BINARY LOGS TO 'x'"
        };
        String[] flush = {"FLUSH BINARY LOGS", "/*!80000 FLUSH */ LOGS"}; // with the right, it waits for a writer
        add("nothing", NOTHING);
        for (Right right : Right.values()) {
            add(right.text(), new Grant(Set.of(right), List.of(), 0, 0));
        }
        serve();
        for (String user : new String[] {"nothing", "replication", "monitor", "admin"}) {
            try (MysqlConnection connection = connect(user, TlsMode.DISABLED)) {
                connection.query("SELECT @@server_id", LIMIT);
                for (String sql : watch) {
                    assertEquals(user.equals("nothing"), isDenied(connection, sql), user + ": " + sql);
                }
                for (String sql : monitor) {
                    boolean may = user.equals("monitor") || user.equals("admin");
                    assertEquals(!may, isDenied(connection, sql), user + ": " + sql);
                }
                for (String sql : change) {
                    assertEquals(!user.equals("admin"), isDenied(connection, sql), user + ": " + sql);
                }
                for (String sql : flush) {
                    assertTrue(user.equals("admin") || isDenied(connection, sql), user + ": " + sql);
                }
                assertEquals(!user.equals("replication"), isDenied(connection, "SHOW BINLOG EVENTS"), user);
                assertEquals(1290, refusal(connection, "DROP TABLE t"), "no right allows a write");
            }
            if (user.equals("replication")) {
                assertInstanceOf(StreamEnd.Finished.class, dump(user));
            } else {
                assertEquals(
                        1227,
                        assertThrows(MysqlServerError.class, () -> dump(user)).errorCode(),
                        user);
            }
        }
    }

    @Test
    void aUserEndsItsOwnSessionsAndAnAdministratorAll() throws Exception {
        add("u", NOTHING);
        add("v", NOTHING);
        add("admin", new Grant(Set.of(Right.ADMIN), List.of(), 0, 0));
        serve();
        try (MysqlConnection first = connect("u", TlsMode.DISABLED);
                MysqlConnection second = connect("u", TlsMode.DISABLED);
                MysqlConnection other = connect("v", TlsMode.DISABLED);
                MysqlConnection admin = connect("admin", TlsMode.DISABLED)) {
            assertEquals(1095, refusal(other, "KILL " + first.threadId()));
            assertEquals(1094, refusal(other, "KILL 999999"));
            second.query("KILL " + first.threadId(), LIMIT);
            admin.query("KILL " + second.threadId(), LIMIT);
            other.query("SELECT 1", LIMIT);
        }
    }

    @Test
    void allDumpsOfAUserTogetherKeepItsRate() throws Exception {
        long bytes =
                dumper.files().list().stream().mapToLong(file -> file.end()).sum();
        long rate = bytes * 2; // a block is sent at once, and each dump has one or two
        add("slow", new Grant(Set.of(Right.REPLICATION), List.of(), 0, rate));
        add("fast", new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0));
        serve();
        dump("fast");
        long before = System.nanoTime();
        int dumps = 4;
        for (int i = 0; i < dumps; i++) {
            assertInstanceOf(StreamEnd.Finished.class, dump("slow"));
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        double least = (double) bytes * (dumps - 1) / rate;
        assertTrue(
                seconds > least, seconds + " s for " + dumps + " times " + bytes + " bytes at " + rate + " a second");
        assertTrue(seconds < least + 5, seconds + " s");
    }

    @Test
    void aNewCertificateIsUsedWithoutARestartAndABrokenOneIsNot() throws Exception {
        add("u", Grant.ALL);
        Path ours = folder.resolve("ours");
        SelfSignedCertificate.in(ours, "first", Clock.SYSTEM);
        Path certificate = ours.resolve(SelfSignedCertificate.CERTIFICATE);
        Path key = ours.resolve(SelfSignedCertificate.KEY);
        serve("serve.tls.certificate = " + certificate, "serve.tls.key = " + key);
        Path theirs = folder.resolve("serve").resolve(SelfSignedCertificate.CERTIFICATE);
        Files.copy(certificate, theirs);
        connect("u", TlsMode.VERIFY).close();
        Path next = folder.resolve("next");
        SelfSignedCertificate.in(next, "second", Clock.SYSTEM);
        Files.copy(next.resolve(SelfSignedCertificate.CERTIFICATE), certificate, StandardCopyOption.REPLACE_EXISTING);
        connect("u", TlsMode.VERIFY).close(); // this login checks the files
        connect("u", TlsMode.VERIFY).close();
        await("the half replaced pair to be noticed", () -> server.users().contains("another key"));
        Files.copy(next.resolve(SelfSignedCertificate.KEY), key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(certificate, theirs, StandardCopyOption.REPLACE_EXISTING);
        await("the new pair to be served", () -> {
            try {
                connect("u", TlsMode.VERIFY).close();
                return true;
            } catch (io.tributary.common.error.TributaryException notYet) {
                return false;
            }
        });
        assertEquals("1 users", server.users());
    }

    /** A condition that may throw. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.holds()) {
            assertTrue(System.nanoTime() < deadline, "timed out waiting for " + what);
            Thread.onSpinWait();
        }
    }

    /** A key store with this certificate, in the driver's format. */
    private String keyStore(Path made) throws Exception {
        Certificate certificate;
        try (InputStream in = Files.newInputStream(made.resolve(SelfSignedCertificate.CERTIFICATE))) {
            certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        String pem = Files.readString(made.resolve(SelfSignedCertificate.KEY), StandardCharsets.US_ASCII);
        byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "client",
                KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key)),
                "changeit".toCharArray(),
                new Certificate[] {certificate});
        Path file = made.resolve("client.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "changeit".toCharArray());
        }
        return file.toUri().toString();
    }

    @Test
    void aCertificateIsValidOnlyForItsUser() throws Exception {
        Path client = folder.resolve("client");
        SelfSignedCertificate.in(client, "replica1", Clock.SYSTEM);
        UserEntry alone = new UserEntry(
                "alone",
                new LoginMethods(
                        Optional.empty(), Optional.empty(), Optional.of(CertificateName.parse("subject:CN=replica1"))),
                Grant.ALL,
                TableFilter.ALL);
        UserEntry both = new UserEntry(
                "both",
                new LoginMethods(
                        Optional.of(Passwords.salted("p")),
                        Optional.empty(),
                        Optional.of(CertificateName.parse("dns:localhost"))),
                Grant.ALL,
                TableFilter.ALL);
        UserEntry other = new UserEntry(
                "other",
                new LoginMethods(
                        Optional.empty(), Optional.empty(), Optional.of(CertificateName.parse("subject:CN=replica2"))),
                Grant.ALL,
                TableFilter.ALL);
        change(alone);
        change(both);
        change(other);
        add("plain", Grant.ALL);
        serve("serve.tls.ca = " + client.resolve(SelfSignedCertificate.CERTIFICATE));
        String[] shows = {
            "sslMode=REQUIRED",
            "clientCertificateKeyStoreUrl=" + keyStore(client),
            "clientCertificateKeyStoreType=PKCS12",
            "clientCertificateKeyStorePassword=changeit"
        };
        jdbc("alone", shows).close();
        jdbc("both", shows).close();
        jdbc("plain", shows).close();
        jdbc("plain", "sslMode=REQUIRED").close();
        assertEquals(
                1045,
                assertThrows(SQLException.class, () -> jdbc("other", shows)).getErrorCode());
        assertEquals(
                1045,
                assertThrows(SQLException.class, () -> jdbc("alone", "sslMode=REQUIRED"))
                        .getErrorCode());
        assertEquals(
                1045,
                assertThrows(SQLException.class, () -> jdbc("both", "sslMode=REQUIRED"))
                        .getErrorCode());
        String[] wrong = shows.clone();
        wrong[0] = "password=x";
        assertEquals(
                1045,
                assertThrows(SQLException.class, () -> jdbc("both", wrong)).getErrorCode());
    }
}
