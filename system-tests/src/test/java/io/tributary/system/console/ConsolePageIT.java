package io.tributary.system.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.node.admin.NodeView;
import io.tributary.node.console.ConsoleAccess;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page of the console with made states in a real browser: odd names and texts, members of another version, many shards, a login that is refused. */
class ConsolePageIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ODD = "<img src=x onerror=document.title='run'>";
    private static final String TURNED = "a\u202eb";
    private static final int SHARDS = 300;

    private static ConsoleBrowser browser;

    private final Metrics metrics = new Metrics();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer peer;
    private AdminServer server;

    @BeforeAll
    static void open() {
        browser = new ConsoleBrowser();
    }

    @AfterAll
    static void quit() {
        browser.close();
    }

    @AfterEach
    void close() {
        server.close();
        metrics.close();
        if (peer != null) {
            peer.stop(0);
        }
    }

    private void serve(AdminAccess access, NodeStatus status) {
        server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 32, Duration.ofSeconds(5), access),
                metrics,
                new NodeView() {
                    @Override
                    public NodeStatus status() {
                        return status;
                    }

                    @Override
                    public CompletableFuture<OrderSnapshot> transactions() {
                        return CompletableFuture.completedFuture(new OrderSnapshot(0, List.of()));
                    }
                },
                () -> null);
        browser.open("127.0.0.1:" + server.address().getPort());
    }

    /** A node of a cluster with 300 shards, whose names and texts come from outside. */
    private static NodeStatus odd(HostPort other) {
        List<String> shards = Stream.concat(
                        Stream.of(ODD, TURNED), IntStream.rangeClosed(3, SHARDS).mapToObj(i -> "s" + i))
                .toList();
        ClusterMember.Addresses addresses =
                new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.of(other), Optional.of(other));
        ClusterMember.Addresses gone = new ClusterMember.Addresses(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(new HostPort("127.0.0.1", 1)));
        return new NodeStatus(
                ODD,
                "task,dumper",
                "running",
                true,
                shards,
                List.of(
                        new MemberStatus("n1"),
                        new ClusterStatus(
                                Optional.of(new Leader(ODD, 3)),
                                List.of(
                                        new ClusterMember("n1", Set.of(MemberRole.DUMPER), addresses, Set.of(), 1),
                                        new ClusterMember(
                                                "n2",
                                                Set.of(MemberRole.DUMPER, MemberRole.TASK),
                                                addresses,
                                                Set.of(),
                                                Long.MAX_VALUE),
                                        new ClusterMember("n3", Set.of(MemberRole.DUMPER), gone, Set.of(), 1)),
                                List.of()),
                        new PipelineStatus(
                                List.of(),
                                List.of(new PipelineStatus.HeldShard(
                                        ODD, "SHARD_POSITION_PURGED: " + ODD + " | \u0007" + TURNED)))));
    }

    /** A member that answers with a document that this page does not know. */
    private HostPort member(String json) throws IOException {
        peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        peer.createContext("/", exchange -> {
            asked.incrementAndGet();
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        peer.start();
        return new HostPort("127.0.0.1", peer.getAddress().getPort());
    }

    @Test
    void textsFromOutsideAreShownAsTextsAndAMemberOfAnotherVersionIsLeftOut() throws Exception {
        metrics.register(Metric.EXTRACT_BYTES, () -> 1, "shard", TURNED);
        serve(
                AdminAccess.OPEN,
                odd(member("{\"audience\":\"viewer\",\"node\":{\"name\":\"n2\"},\"held\":{},\"problems\":7}")));
        browser.await("live-text", "Live");
        browser.await("held-body", ODD);
        browser.await("held-body", "\\u0007a\\u202eb");
        browser.await("shards-hint", "300 shards: 0 are read, 1 held, 299 not known here");
        browser.await("foot", ODD);
        browser.await("members-hint", ODD + " leads under epoch 3");
        browser.await("members-body", "Its state is not shown here: it does not answer.");
        Await.until("the node to ask the member", LIMIT, () -> asked.get() > 1);
        awaitEvents(2);
        assertEquals("Live", browser.text("live-text"), () -> browser.text("alerts"));
        assertEquals(0L, browser.run("return document.querySelectorAll('main img').length"));
        assertFalse(String.valueOf(browser.run("return document.title")).equals("run"));
        assertEquals(List.of(), browser.errors());
        assertEquals("", browser.accessibilityProblems());
        browser.shotAll("odd-texts");
        browser.phone();
        Await.until(() -> "the page to be as wide as the phone", LIMIT, () -> !browser.isTooWide());
        browser.shotAll("odd-texts-phone");
        browser.wide();
    }

    /** Waits until the page has shown this many more states. */
    private static void awaitEvents(int number) {
        for (int i = 0; i < number; i++) {
            String before = browser.text("foot");
            Await.until(
                    () -> "another event than " + before + ": " + browser.text("alerts"),
                    LIMIT,
                    () -> !browser.text("foot").equals(before));
        }
    }

    @Test
    void manyShardsAreShownInPagesAndASelectedTextStays() throws Exception {
        IntStream.rangeClosed(1, SHARDS)
                .forEach(i -> metrics.register(Metric.EXTRACT_LAG, () -> i == 7 ? 99 : 0.1, "shard", "s" + i));
        AtomicInteger bytes = new AtomicInteger();
        metrics.register(Metric.EXTRACT_BYTES, () -> bytes.addAndGet(5000), "shard", "s29");
        List<String> names =
                IntStream.rangeClosed(1, SHARDS).mapToObj(i -> "s" + i).toList();
        NodeStatus status =
                new NodeStatus("1", "task", "running", true, names, List.of(new PipelineStatus(List.of(), List.of())));
        serve(AdminAccess.OPEN, status);
        browser.await("shards-hint", "300 shards: 299 are read, 1 behind");
        browser.await("shards-pages", "1 to 50 of 300");
        browser.run("document.querySelector('[data-key=\"shards after\"]').click()");
        browser.await("shards-pages", "51 to 100 of 300");
        browser.type("shards-name", "S29");
        browser.await("shards-body", "s299");
        assertEquals(11L, browser.run("return document.querySelectorAll('#shards-body tbody tr').length"));
        browser.run("const cell = document.querySelector('#shards-body tbody th');"
                + " getSelection().selectAllChildren(cell); window.selected = cell");
        awaitEvents(4);
        assertEquals(
                true, browser.run("return window.selected.isConnected && String(getSelection()).startsWith('s2')"));
        browser.shotAll("many-shards");
    }

    @Test
    void aNodeThatShowsNothingWithoutALoginAsksOnce() throws Exception {
        serve(
                new AdminAccess(
                        Optional.of("admin"),
                        Optional.of(new Secret("right")),
                        Optional.empty(),
                        Optional.empty(),
                        new ConsoleAccess(false, false)),
                new NodeStatus("1", "task", "running", true, List.of(), List.of()));
        Await.until("the dialog", LIMIT, () -> isOpen());
        browser.press(Keys.ESCAPE);
        browser.await("alerts", "The node needs a login");
        long requests = requests();
        Await.until("the time of some retries", LIMIT, () -> waited(3000));
        assertFalse(isOpen(), "the dialog does not come back by itself");
        assertEquals(requests, requests(), "nothing is requested without a login");
        browser.click("login");
        browser.type("login-user", "admin");
        browser.type("login-password", "right");
        browser.press("\n");
        browser.await("identity", "task");
        browser.await("live-text", "Live");
        assertTrue(browser.text("alerts").isEmpty(), browser.text("alerts"));
    }

    private static boolean isOpen() {
        return Boolean.TRUE.equals(browser.run("return document.getElementById('login-dialog').open"));
    }

    private static long requests() {
        return (long) browser.run(
                "return performance.getEntriesByType('resource').filter(e => e.name.endsWith('/events')).length");
    }

    /** Whether the page has been waiting for that long since the first call. */
    private static boolean waited(int millis) {
        return Boolean.TRUE.equals(
                browser.run("window.since ??= performance.now(); return performance.now() - window.since > " + millis));
    }
}
