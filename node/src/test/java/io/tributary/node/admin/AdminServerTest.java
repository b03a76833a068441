package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private final Metrics metrics = new Metrics();
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private AdminServer server;

    @BeforeEach
    void listen() {
        metrics.register(Metric.LINK_DEPTH, () -> 12345, "link", "merged");
        metrics.register(Metric.SHARD_LAG, () -> 0.25, "shard", "s1");
        metrics.register(Metric.EXTRACT_EVENTS, () -> 7, "shard", "s1");
        metrics.register(Metric.WRITE_SYNCS, () -> 3);
        server = AdminServer.open(
                new HostPort("127.0.0.1", 0),
                metrics,
                () -> new NodeStatus(
                        "1.2.3",
                        "standalone",
                        healthy.get() ? "running" : "waiting after \"a failure\"",
                        healthy.get(),
                        List.of("s1", "s2"),
                        Map.of("binlog", "binlog.000001:4")));
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
                                        + "\"shards\":[\"s1\",\"s2\"],\"facts\":{\"binlog\":\"binlog.000001:4\"},\"metrics\":["),
                response.body());
        assertTrue(response.body()
                .contains("{\"name\":\"tributary.shard.lag.seconds\",\"tags\":{\"shard\":\"s1\"},\"value\":0.25}"));
    }

    @Test
    void statusIsTablesForPeople() throws Exception {
        assertEquals("""
                tributary 1.2.3
                  role    standalone
                  state   running
                  binlog  binlog.000001:4

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
    void anUnknownPageNamesTheKnownOnes() throws Exception {
        HttpResponse<String> response = get("/");
        assertEquals(404, response.statusCode());
        assertTrue(response.body().contains("/metrics /status"));
    }

    @Test
    void anAddressInUseIsNamed() {
        HostPort taken = new HostPort("127.0.0.1", server.address().getPort());
        TributaryException thrown =
                assertThrows(TributaryException.class, () -> AdminServer.open(taken, metrics, () -> null));
        assertEquals(ErrorCode.ADDRESS_UNUSABLE, thrown.code());
        assertTrue(thrown.getMessage().contains(taken.toString()), thrown.getMessage());
    }
}
