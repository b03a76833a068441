package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import io.tributary.mysql.protocol.tls.CertificateAuthority;
import io.tributary.node.command.client.AdminClient;
import io.tributary.node.console.Audience;
import io.tributary.node.console.ConsoleAccess;
import io.tributary.node.console.MemberTrust;
import io.tributary.node.console.PeerStates;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.testkit.Await;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node learns of members whose admin endpoints use TLS, and why it learns nothing of others. */
class PeerStatesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LIFE = Duration.ofDays(30);

    /** Two months ago: what is made then has expired. */
    private static final Clock PAST = new Clock() {
        @Override
        public long nanoTime() {
            return Clock.SYSTEM.nanoTime();
        }

        @Override
        public long epochMicros() {
            return Clock.SYSTEM.epochMicros() - TimeUnit.DAYS.toMicros(60);
        }
    };

    @TempDir
    private static Path folder;

    private static Path authority;

    private final Metrics metrics = new Metrics();
    private final List<AdminServer> servers = new ArrayList<>();
    private final Set<ClusterMember> members = new LinkedHashSet<>();
    private final ExecutorService loop = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = make("cluster", CertificateAuthority.create("Nodes", LIFE.multipliedBy(10), Clock.SYSTEM));
        make("good", authority("cluster", Clock.SYSTEM).node("good", List.of("127.0.0.1"), LIFE));
        make("other-name", authority("cluster", Clock.SYSTEM).node("other", List.of("other.example"), LIFE));
        make("expired", authority("cluster", PAST).node("expired", List.of("127.0.0.1"), LIFE));
        make("stranger-ca", CertificateAuthority.create("Strangers", LIFE, Clock.SYSTEM));
        make("stranger", authority("stranger-ca", Clock.SYSTEM).node("stranger", List.of("127.0.0.1"), LIFE));
    }

    private static Path make(String name, CertificateAuthority.Pair pair) throws Exception {
        Files.writeString(key(name), pair.key());
        return Files.writeString(certificate(name), pair.certificate());
    }

    private static CertificateAuthority authority(String name, Clock clock) {
        var chain = PemFiles.certificates(certificate(name));
        return new CertificateAuthority(chain[0], PemFiles.keyOf(key(name), chain, certificate(name)), clock);
    }

    private static Path certificate(String name) {
        return folder.resolve(name + ".pem");
    }

    private static Path key(String name) {
        return folder.resolve(name + "-key.pem");
    }

    @AfterEach
    void close() {
        servers.forEach(AdminServer::close);
        metrics.close();
        loop.shutdownNow();
    }

    /** A member whose endpoint has this certificate; "" for none. */
    private AdminServer member(String name, String certificate) {
        Optional<Path> file =
                Optional.of(certificate).filter(text -> !text.isEmpty()).map(PeerStatesTest::certificate);
        return member(
                name, new AdminAccess(Optional.empty(), Optional.empty(), file, file.map(each -> key(certificate))));
    }

    private AdminServer member(String name, AdminAccess access) {
        AdminServer server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 8, Duration.ofSeconds(5), access),
                metrics,
                new FixedView(
                        () -> new NodeStatus(
                                "1.2.3", "dumper", "running", true, List.of(), List.of(new MemberStatus(name))),
                        () -> CompletableFuture.failedFuture(new IllegalStateException("not here"))),
                () -> null);
        servers.add(server);
        at(name, server.address());
        return server;
    }

    private void at(String name, InetSocketAddress address) {
        members.add(new ClusterMember(
                name,
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new HostPort("127.0.0.1", address.getPort()))),
                Set.of(),
                1));
    }

    /** The node's view of the members once it has an answer of each, or knows why it has none. */
    private PeerStates asked(List<Path> trusted) {
        PeerStates peers = new PeerStates(Audience.OPERATOR, new MemberTrust(trusted), loop);
        ClusterStatus cluster = new ClusterStatus(Optional.of(new Leader("plain", 3)), List.copyOf(members), List.of());
        CompletableFuture.runAsync(() -> peers.ask(cluster, "self"), loop).join();
        Await.until(
                () -> "all members to be known: " + peers.links(),
                LIMIT,
                () -> CompletableFuture.supplyAsync(() -> peers.links().size(), loop)
                                .join()
                        == members.size());
        return peers;
    }

    private static String problem(PeerStates peers, String name) {
        Map<?, ?> link = (Map<?, ?>) peers.links().get(name);
        return link.get("scheme") + " " + link.get("problem");
    }

    @Test
    void membersAreReadThroughTlsAndARefusedCertificateIsExplained() {
        member("plain", "");
        member("good", "good");
        member("other-name", "other-name");
        member("expired", "expired");
        member("stranger", "stranger");
        member(
                "secret",
                new AdminAccess(
                        Optional.of("admin"),
                        Optional.of(new Secret("x")),
                        Optional.empty(),
                        Optional.empty(),
                        new ConsoleAccess(false, false)));
        AdminServer gone = member("gone", "");
        gone.close();
        PeerStates peers = asked(List.of(authority));
        assertEquals(
                Set.of("plain", "good"),
                peers.states().keySet(),
                () -> peers.links().toString());
        assertEquals("http ", problem(peers, "plain"));
        assertEquals("https ", problem(peers, "good"));
        assertEquals("https its certificate is for other names and addresses", problem(peers, "other-name"));
        assertEquals("https its certificate has expired", problem(peers, "expired"));
        assertTrue(
                problem(peers, "stranger").startsWith("https its certificate is of no CA"),
                () -> problem(peers, "stranger"));
        assertTrue(problem(peers, "secret").contains("admin.console.viewers"), () -> problem(peers, "secret"));
        assertEquals("http it does not answer", problem(peers, "gone"));
    }

    @Test
    void aNodeWithoutACaSaysSoAndOneWithTheSameCertificateNeedsNone() {
        member("good", "good");
        assertTrue(
                problem(asked(List.of()), "good").contains("no CA to check"), () -> problem(asked(List.of()), "good"));
        assertEquals(
                Set.of("good"), asked(List.of(certificate("good"))).states().keySet());
    }

    /** The certificate of the node itself has expired: probes and page say it, and clients that know the certificate still connect. */
    @Test
    void anExpiredCertificateIsStatedByTheHealthPages() throws Exception {
        AdminServer server = member("expired", "expired");
        AdminClient client = new AdminClient(new AdminConfig(
                new HostPort("127.0.0.1", server.address().getPort()),
                List.of(),
                8,
                LIMIT,
                new AdminAccess(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(certificate("expired")),
                        Optional.of(key("expired")))));
        HttpResponse<String> health = client.get("/health");
        assertEquals(200, health.statusCode());
        assertTrue(
                health.body().startsWith("running\nThe certificate of the admin endpoint has expired at "),
                health::body);
        String ready = client.body("/health/ready");
        assertTrue(ready.contains("\"code\":\"certificate-expired\""), ready);
        assertEquals(503, client.get("/health/ready?strict").statusCode());
        String state = client.body("/console/state");
        assertTrue(
                state.contains("{\"level\":\"error\",\"text\":\"The certificate of the admin endpoint has expired"),
                state);
    }
}
