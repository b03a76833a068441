package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.node.admin.ConfigReload;
import io.tributary.node.admin.FixedView;
import io.tributary.node.command.client.AdminClient;
import io.tributary.node.process.StopSignal;
import io.tributary.node.status.NodeStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private static final ConfigReload.Outcome OUTCOME = new ConfigReload.Outcome(List.of(), List.of("serve.listen"));

    private int run(String... arguments) {
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), arguments);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private Path config(String... lines) throws IOException {
        return Files.write(folder.resolve("tributary.properties"), List.of(lines));
    }

    @Test
    void printsItsVersion() {
        assertEquals(0, run("--version"));
        assertTrue(out.toString().matches("tributary \\d+\\.\\d+\\.\\d+.*\\n"), out.toString());
    }

    @Test
    void everyCommandIsCreatedByItsName() {
        Set<String> all =
                TributaryCommand.commandLine(new StopSignal()).getSubcommands().keySet();
        assertTrue(all.containsAll(Set.of("start", "check", "certs", "shard", "apply", "reload")), all.toString());
        for (String name : all) {
            CommandLine alone = TributaryCommand.commandLine(new StopSignal(), name, "--help");
            assertEquals(Set.of(name), alone.getSubcommands().keySet());
        }
    }

    @Test
    void wrongUsageIsStatus2() {
        assertEquals(2, run());
        assertEquals(2, run("dance"));
        assertTrue(err.toString().contains("expected a command of tributary, found 'dance'\n"), err.toString());
        assertEquals(2, run("statsu"));
        assertTrue(err.toString().contains("found 'statsu'; did you mean status?"), err.toString());
        assertEquals(2, run("backup", "lst"));
        assertTrue(
                err.toString().contains("expected a command of tributary backup, found 'lst'; did you mean list?"),
                err.toString());
        assertEquals(2, run("status", "--conf", "file"));
        assertTrue(err.toString().contains("found --conf file; did you mean --config?"), err.toString());
        assertEquals(2, run("status", "-o", "xml"));
        assertTrue(err.toString().contains("expected one of table, json, yaml, found 'xml'"), err.toString());
    }

    @Test
    void aCommandWithoutAConfigurationFileNamesThePlacesWhereItLooked() {
        Assumptions.assumeTrue(System.getenv("TRIBUTARY_CONFIG") == null
                && Files.notExists(Path.of("/etc/tributary/tributary.properties")));
        assertEquals(2, run("status"));
        assertTrue(
                err.toString()
                        .startsWith("expected a configuration file, found none: the option -c (--config) is not given,"
                                + " the environment variable TRIBUTARY_CONFIG is not set,"
                                + " and /etc/tributary/tributary.properties does not exist"),
                err.toString());
    }

    @Test
    void anUnknownKeyIsReportedInOneLineWithStatus1() throws IOException {
        assertEquals(1, run("status", "-c", config("admin.lisen = 127.0.0.1:1").toString()));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(
                err.toString().startsWith("CONFIG_INVALID: ")
                        && err.toString().contains("line 1: admin.lisen: unknown key; did you mean admin.listen? | "),
                err.toString());
    }

    @Test
    void aMissingFileIsReported() {
        assertEquals(1, run("status", "-c", "/nowhere/tributary.properties"));
        assertTrue(err.toString().startsWith("CONFIG_INVALID: /nowhere/tributary.properties: "), err.toString());
    }

    @Test
    void aNodeThatDoesNotAnswerIsReported() throws IOException {
        assertEquals(1, run("status", "-c", config("admin.listen = 127.0.0.1:1").toString()));
        assertTrue(
                err.toString()
                        .startsWith("NODE_UNREACHABLE: admin.listen: expected a node that answers on 127.0.0.1:1"),
                err.toString());
    }

    /** The endpoint of a node that runs. */
    private static AdminServer running(AdminAccess access) {
        NodeStatus status = new NodeStatus("1", "standalone", "running", true, List.of(), List.of());
        return AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 8, Duration.ofSeconds(10), access),
                new Metrics(),
                new FixedView(() -> status, () -> CompletableFuture.completedFuture(new OrderSnapshot(0, List.of()))),
                () -> OUTCOME);
    }

    @Test
    void statusShowsTheStatusOfTheNode() throws IOException {
        try (AdminServer server = running(AdminAccess.OPEN)) {
            String file = config("admin.listen = 127.0.0.1:" + server.address().getPort())
                    .toString();
            assertEquals(0, run("status", "-c", file), err.toString());
            assertTrue(out.toString().contains("state  running"), out.toString());
            assertEquals(0, run("apply", "status", "-c", file), err.toString());
            assertEquals(2, out.toString().split("state  running", -1).length - 1, "both show it");
            assertEquals(0, run("status", "--json", "-c", file));
            assertTrue(out.toString().contains("\"state\":\"running\""), out.toString());
            assertEquals(0, run("status", "-o", "yaml", "-c", file));
            assertTrue(out.toString().contains("\nstate: running\nhealthy: true\n"), out.toString());
            assertEquals(0, run("status", "-o", "text", "-c", file), "the former name of table");
            assertEquals(1, run("reload", "-c", file), "a key waits");
            assertTrue(out.toString().contains("wait for a restart: serve.listen"), out.toString());
            assertEquals(0, run("xa", "list", "-c", file));
            assertTrue(out.toString().contains("0 distributed transactions are not emitted"), out.toString());
        }
    }

    @Test
    void statusWaitsUntilTheNodeIsReady() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean isStarting = new AtomicBoolean();
        FixedView view = new FixedView(
                () -> {
                    boolean isReady = asked.incrementAndGet() > 2 && !isStarting.get();
                    return new NodeStatus(
                            "1", "standalone", isReady ? "running" : "starting", isReady, List.of(), List.of());
                },
                () -> CompletableFuture.completedFuture(new OrderSnapshot(0, List.of())));
        try (AdminServer server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 8, Duration.ofSeconds(10), AdminAccess.OPEN),
                new Metrics(),
                view,
                () -> OUTCOME)) {
            String file = config("admin.listen = 127.0.0.1:" + server.address().getPort())
                    .toString();
            assertEquals(0, run("status", "--wait", "60", "-c", file), err.toString());
            assertTrue(asked.get() > 2, "asked " + asked);
            assertTrue(out.toString().contains("state  running"), out.toString());
            isStarting.set(true);
            assertEquals(1, run("status", "--wait", "1", "-c", file));
            assertTrue(
                    err.toString().startsWith("NODE_NOT_READY: expected the node to be ready, found "), err.toString());
            assertTrue(err.toString().contains("\"state\":\"starting\""), err.toString());
        }
        assertEquals(
                1,
                run(
                        "status",
                        "--wait",
                        "1",
                        "-c",
                        config("admin.listen = 127.0.0.1:1").toString()));
        assertTrue(err.toString().contains("NODE_UNREACHABLE"), err.toString());
        assertEquals(2, run("status", "--wait", "-1"));
        assertTrue(err.toString().contains("--wait: expected 0 to 86400 seconds, found -1"), err.toString());
    }

    @Test
    void aClientSaysThatTheCertificateOfItsNodeHasExpired() throws Exception {
        Clock past = new Clock() {
            @Override
            public long nanoTime() {
                return Clock.SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return 0; // 1970: the certificate is valid for ten years
            }
        };
        SelfSignedCertificate.in(folder, "admin", past);
        AdminAccess access = new AdminAccess(
                Optional.empty(),
                Optional.empty(),
                Optional.of(folder.resolve(SelfSignedCertificate.CERTIFICATE)),
                Optional.of(folder.resolve(SelfSignedCertificate.KEY)));
        try (AdminServer server = running(access)) {
            String file = config(
                            "admin.listen = 127.0.0.1:" + server.address().getPort(),
                            "admin.tls.certificate = " + access.certificate().orElseThrow(),
                            "admin.tls.key = " + access.key().orElseThrow())
                    .toString();
            assertEquals(0, run("status", "-c", file), err.toString());
            assertTrue(out.toString().contains("state  running"), out.toString());
            assertTrue(
                    err.toString().startsWith("warning: The certificate of the admin endpoint has expired at 19"),
                    err.toString());
        }
    }

    @Test
    void aClientWithoutLoginCanReadHealthOnly() throws Exception {
        SelfSignedCertificate.in(folder, "admin", Clock.SYSTEM);
        AdminAccess access = new AdminAccess(
                Optional.of("ops"),
                Optional.of(new Secret("geheim")),
                Optional.of(folder.resolve(SelfSignedCertificate.CERTIFICATE)),
                Optional.of(folder.resolve(SelfSignedCertificate.KEY)));
        try (AdminServer server = running(access)) {
            HostPort address = new HostPort("127.0.0.1", server.address().getPort());
            String tls = "admin.tls.certificate = " + access.certificate().orElseThrow() + "\nadmin.tls.key = "
                    + access.key().orElseThrow();
            String listen = "admin.listen = " + address;
            String login = "admin.user = ops\nadmin.password = ";
            assertEquals(
                    0, run("status", "-c", config(listen, tls, login + "geheim").toString()), err.toString());
            assertTrue(out.toString().contains("state  running"), out.toString());

            AdminAccess stranger =
                    new AdminAccess(Optional.empty(), Optional.empty(), access.certificate(), access.key());
            AdminAccess guess = new AdminAccess(
                    access.user(), Optional.of(new Secret("guess")), access.certificate(), access.key());
            assertEquals(
                    1, run("status", "-c", config(listen, tls, login + "guess").toString()));
            assertTrue(
                    err.toString()
                            .startsWith("ADMIN_LOGIN_REFUSED: admin.user: expected the login of the node on " + address
                                    + ", found user ops with a user name or password that the node refuses"),
                    err.toString());
            for (AdminAccess wrong : List.of(stranger, guess)) {
                AdminClient client =
                        new AdminClient(new AdminConfig(address, List.of(), 8, Duration.ofSeconds(10), wrong));
                assertEquals(401, client.get("/status").statusCode());
                assertEquals(401, client.post("/reload", "reload").statusCode());
                assertEquals(200, client.get("/health").statusCode());
            }

            Path other = Files.createDirectory(folder.resolve("other"));
            SelfSignedCertificate.in(other, "admin", Clock.SYSTEM);
            AdminAccess pinned = new AdminAccess(
                    access.user(),
                    access.password(),
                    Optional.of(other.resolve(SelfSignedCertificate.CERTIFICATE)),
                    Optional.of(other.resolve(SelfSignedCertificate.KEY)));
            AdminClient misled =
                    new AdminClient(new AdminConfig(address, List.of(), 8, Duration.ofSeconds(10), pinned));
            assertThrows(
                    TributaryException.class, () -> misled.get("/status"), "another server than the configured one");
            AdminClient plain =
                    new AdminClient(new AdminConfig(address, List.of(), 8, Duration.ofSeconds(10), AdminAccess.OPEN));
            assertThrows(TributaryException.class, () -> plain.get("/health"), "not encrypted");
        }
    }
}
