package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Xid;
import io.tributary.node.command.output.YamlText;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private static final int CONNECTIONS = 64;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final Metrics metrics = new Metrics();
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final AtomicReference<CompletableFuture<OrderSnapshot>> transactions = new AtomicReference<>();
    private final AtomicReference<ShardRequests.State> shardState = new AtomicReference<>(ShardRequests.State.NONE);
    private final List<String> asked = new ArrayList<>();
    private final ShardRequests shards = new ShardRequests() {
        @Override
        public ShardRequests.State submit(Verb verb, String shard, Duration timeout) {
            if (shardState.get().progress() != Progress.RUNNING) {
                asked.add(verb + " " + shard + " " + timeout);
                shardState.set(new ShardRequests.State(
                        shardState.get().number() + 1, Progress.RUNNING, "checks shard " + shard));
            }
            return shardState.get();
        }

        @Override
        public ShardRequests.State state() {
            return shardState.get();
        }
    };
    private final AtomicReference<Supplier<ConfigReload.Outcome>> reload =
            new AtomicReference<>(() -> new ConfigReload.Outcome(List.of(), List.of()));
    private AdminServer server;

    @BeforeEach
    void listen() {
        metrics.register(Metric.LINK_DEPTH, () -> 12345, "link", "merged");
        metrics.register(Metric.SHARD_LAG, () -> 0.25, "shard", "s1");
        metrics.register(Metric.EXTRACT_EVENTS, () -> 7, "shard", "s1");
        metrics.register(Metric.WRITE_SYNCS, () -> 3);
        server = AdminServer.open(
                config(new HostPort("127.0.0.1", 0)),
                metrics,
                new FixedView(
                        () -> new NodeStatus(
                                "1.2.3",
                                "standalone",
                                healthy.get() ? "running" : "waiting after \"a failure\"",
                                healthy.get(),
                                List.of("s1", "s2"),
                                List.of(new MemberStatus("n1"))),
                        transactions::get,
                        shards),
                () -> reload.get().get());
    }

    private static AdminConfig config(HostPort listen) {
        return new AdminConfig(listen, List.of("admin.example"), CONNECTIONS, TIMEOUT, AdminAccess.OPEN);
    }

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, boolean withHeader) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .POST(HttpRequest.BodyPublishers.noBody());
        if (withHeader) {
            request.header(ShardPages.HEADER, "add");
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aReloadReportsWhichKeysAreInEffectAndWhichWait() throws Exception {
        HttpResponse<String> nothing = post("/reload", true);
        assertEquals(200, nothing.statusCode());
        assertEquals("no changed key is in effect now\nno changed key waits for a restart\n", nothing.body());
        reload.set(() -> new ConfigReload.Outcome(List.of("backup.poll"), List.of("serve.listen", "shard")));
        HttpResponse<String> some = post("/reload", true);
        assertEquals(202, some.statusCode());
        assertEquals("""
                in effect now: backup.poll
                wait for a restart: serve.listen, shard.* (or tributary shard add, shard remove)
                """, some.body());
        HttpResponse<String> json = post("/reload?as=json", true);
        assertEquals(202, json.statusCode());
        assertEquals(
                Map.of("applied", List.of("backup.poll"), "waiting", List.of("serve.listen", "shard")),
                YamlText.parse(json.body()));
        reload.set(() -> {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, "line 1: many: unknown key");
        });
        HttpResponse<String> refused = post("/reload", true);
        assertEquals(409, refused.statusCode());
        assertTrue(refused.body().startsWith("CONFIG_INVALID: line 1: many: unknown key | "), refused.body());
        HttpResponse<String> refusedJson = post("/reload?as=json", true);
        assertEquals(409, refusedJson.statusCode());
        assertTrue(refusedJson.body().startsWith("{\"error\""), refusedJson.body());
        assertEquals(403, post("/reload", false).statusCode(), "a web page may have sent it");
        assertEquals(405, get("/reload").statusCode());
    }

    @Test
    void aShardRequestIsBegunOnceAndItsStateIsShown() throws Exception {
        assertEquals("0 done", get("/shards").body().lines().findFirst().orElseThrow());
        HttpResponse<String> begun = post("/shards/add?shard=s4&timeout=7", true);
        assertEquals(202, begun.statusCode());
        assertEquals("1 running\nchecks shard s4\n", begun.body());
        assertEquals(409, post("/shards/remove?shard=s1&timeout=7", true).statusCode());
        assertEquals(List.of("ADD s4 PT7S"), asked);
        shardState.set(new ShardRequests.State(1, ShardRequests.Progress.FAILED, "why"));
        assertEquals("1 failed\nwhy\n", get("/shards").body());
    }

    @Test
    void aShardRequestFromAWebPageIsRefused() throws Exception {
        assertEquals(403, post("/shards/add?shard=s4&timeout=7", false).statusCode());
        ShardPages pages = new ShardPages(shards);
        QueryStringDecoder target = new QueryStringDecoder("/shards/add?shard=s4&timeout=7");
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        assertEquals(
                HttpResponseStatus.FORBIDDEN,
                pages.answer(HttpMethod.POST, target, elsewhere, true).status());
        assertEquals(List.of(), asked);
    }

    @Test
    void aShardRequestWithoutNameOrTimeoutIsRefused() throws Exception {
        for (String query : List.of("", "?shard=s4", "?timeout=7", "?shard=s4&timeout=0", "?shard=s4&timeout=x")) {
            assertEquals(400, post("/shards/add" + query, true).statusCode(), query);
        }
        assertEquals(404, post("/shards/rename?shard=s4&timeout=7", true).statusCode());
        assertEquals(List.of(), asked);
    }

    @Test
    void anInvalidDecisionOrOneFromAWebPageIsRefused() throws Exception {
        assertEquals(403, post("/ddl/emit?id=ab12", false).statusCode());
        assertEquals(403, post("/shards/skip?shard=s1&gtid=x", false).statusCode());
        assertEquals(405, get("/ddl/emit?id=ab12").statusCode());
        assertEquals(400, post("/ddl/emit", true).statusCode());
        assertEquals(400, post("/ddl/rename?id=ab12", true).statusCode());
        assertEquals(400, post("/ddl", true).statusCode());
        assertEquals(400, post("/shards/skip?shard=s1&gtid=x", true).statusCode());
        HttpResponse<String> response = post("/ddl/emit?id=ab12", true);
        assertEquals(503, response.statusCode());
        assertEquals("not used here\n", response.body());
        assertEquals(503, get("/ddl").statusCode());
    }

    @Test
    void heldTransactionsAreShownWithStatesAndRemedies() throws Exception {
        Xid xid = new Xid(new byte[] {'g', '\''}, new byte[] {'b'}, 7);
        HeldBranch branch = new HeldBranch(
                "s1", xid, HeldTransaction.State.PREPARED, new Sid(new UUID(1, 2)), 9, "binlog.000003", 1234, 55);
        HeldBranch gone = new HeldBranch("s2", xid, HeldTransaction.State.ROLLED_BACK, null, 0, "", 0, 0);
        HeldTransaction held = new HeldTransaction(
                xid.global(),
                2_500_000,
                true,
                List.of(branch, gone),
                new HeldTransaction.Diagnosis(
                        List.of("s3"),
                        List.of("the decision on shard s1"),
                        List.of("XA ROLLBACK " + xid + " on shard s1")));
        transactions.set(CompletableFuture.completedFuture(new OrderSnapshot(3, List.of(held))));
        String json = get("/xa").body();
        for (String part : List.of(
                "\"total\":3",
                "\"xid\":\"X'6727','',7\"",
                "\"age.seconds\":2.5",
                "\"state\":\"prepared\"",
                "\"state\":\"rolled back\"",
                "\"file\":\"binlog.000003\",\"offset\":1234",
                "\"unknown.on\":[\"s3\"]",
                "XA ROLLBACK X'6727','b',7 on shard s1")) {
            assertTrue(json.contains(part), part + " in " + json);
        }
        String text = get("/xa?as=text").body();
        for (String part : List.of(
                "3 distributed transactions are not emitted; the oldest 1",
                "XA X'6727','',7  age 2.5 s  55 bytes  IN DOUBT",
                "prepared at binlog.000003:1234  GTID 00000000-0000-0001-0000-000000000002:9",
                "s3         unknown",
                "waits for  the decision on shard s1")) {
            assertTrue(text.contains(part), part + " in " + text);
        }
    }

    @Test
    void aNodeThatDoesNotOrderTransactionsReportsThis() throws Exception {
        transactions.set(
                CompletableFuture.failedFuture(new IllegalStateException("a Dumper does not order transactions")));
        HttpResponse<String> response = get("/xa");
        assertEquals(503, response.statusCode());
        assertEquals("a Dumper does not order transactions\n", response.body());
    }

    @Test
    void metricsArePrometheusText() throws Exception {
        HttpResponse<String> response = get("/metrics");
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("tributary_link_depth{link=\"merged\"} 12345.0"), response.body());
        assertTrue(response.body().contains("tributary_extract_events_total{shard=\"s1\"} 7.0"), response.body());
    }

    @Test
    void statusIsJsonForPrograms() throws Exception {
        HttpResponse<String> response = get("/status");
        assertEquals(
                "application/json",
                response.headers().firstValue("content-type").orElseThrow());
        assertTrue(
                response.body()
                        .startsWith(
                                "{\"version\":\"1.2.3\",\"role\":\"standalone\",\"state\":\"running\",\"healthy\":true,"
                                        + "\"shards\":[\"s1\",\"s2\"],\"facts\":{\"node\":\"n1\"},\"metrics\":["),
                response.body());
        assertTrue(response.body()
                .contains("{\"name\":\"tributary.shard.lag.seconds\",\"tags\":{\"shard\":\"s1\"},\"value\":0.25}"));
    }

    @Test
    void statusIsTablesForPeople() throws Exception {
        assertEquals("""
                tributary 1.2.3
                  role   standalone
                  state  running
                  node   n1

                shard  events  lag seconds
                s1          7        0.250
                s2          -            -

                link     depth
                merged  12,345

                metric       value
                write syncs      3
                """, get("/status?as=text").body());
    }

    @Test
    void healthFollowsTheNode() throws Exception {
        assertEquals(200, get("/health").statusCode());
        healthy.set(false);
        HttpResponse<String> response = get("/health");
        assertEquals(503, response.statusCode());
        assertEquals("waiting after \"a failure\"\n", response.body());
    }

    @Test
    void aNodeIsLiveAlsoWhileItIsNotReady() throws Exception {
        HttpResponse<String> ready = get("/health/ready");
        assertEquals(200, ready.statusCode());
        assertEquals(
                "application/json", ready.headers().firstValue("content-type").orElseThrow());
        assertEquals(
                "{\"live\":true,\"ready\":true,\"state\":\"running\",\"term\":0,\"reasons\":[],\"warnings\":[]}\n",
                ready.body());
        healthy.set(false);
        HttpResponse<String> response = get("/health/ready");
        assertEquals(503, response.statusCode());
        assertTrue(response.body().contains("\"ready\":false,\"state\":\"retrying\""), response.body());
        assertTrue(response.body().contains("{\"code\":\"retrying\",\"subject\":\"\",\"look\":\"tributary status\"}"));
        assertEquals(200, get("/health/live").statusCode());
    }

    @Test
    void anUnknownPageNamesTheKnownOnes() throws Exception {
        HttpResponse<String> response = get("/unknown");
        assertEquals(404, response.statusCode());
        assertTrue(response.body().contains("/metrics /status"));
    }

    @Test
    void anAddressInUseIsNamed() {
        HostPort taken = new HostPort("127.0.0.1", server.address().getPort());
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> AdminServer.open(
                        config(taken),
                        metrics,
                        new FixedView(() -> null, () -> null, shards),
                        () -> reload.get().get()));
        assertEquals(ErrorCode.ADDRESS_UNUSABLE, thrown.code());
        assertTrue(thrown.getMessage().contains(taken.toString()), thrown.getMessage());
    }
}
