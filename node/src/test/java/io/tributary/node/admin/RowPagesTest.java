package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.metric.Metrics;
import io.tributary.node.console.ConsoleAccess;
import io.tributary.node.console.RowQuestion;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.StopSignal;
import io.tributary.node.status.NodeStatus;
import io.tributary.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may search for rows in the console, and when a search ends. */
class RowPagesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String LOGIN =
            "Basic " + Base64.getEncoder().encodeToString("admin:right".getBytes(StandardCharsets.UTF_8));

    private final HttpClient http = HttpClient.newHttpClient();
    private final Metrics metrics = new Metrics();
    private final List<RowQuestion> questions = new ArrayList<>();
    private final List<StopSignal> stops = new ArrayList<>();
    private final List<CompletableFuture<Map<String, Object>>> searches = new ArrayList<>();
    private boolean showsValues;
    private AdminServer server;

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    private synchronized CompletableFuture<Map<String, Object>> find(
            RowQuestion question, boolean withValues, StopSignal stop) {
        questions.add(question);
        stops.add(stop);
        showsValues = withValues;
        CompletableFuture<Map<String, Object>> search = new CompletableFuture<>();
        searches.add(search);
        return search;
    }

    private synchronized int begun() {
        return searches.size();
    }

    /** @param hasLogin whether the node has a user of its admin endpoint */
    private void open(boolean hasLogin, boolean rows) {
        AdminAccess access = new AdminAccess(
                Optional.of("admin").filter(any -> hasLogin),
                Optional.of(new Secret("right")).filter(any -> hasLogin),
                Optional.empty(),
                Optional.empty(),
                new ConsoleAccess(true, rows));
        server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 16, Duration.ofSeconds(5), access),
                metrics,
                new NodeView() {
                    @Override
                    public NodeStatus status() {
                        return new NodeStatus("1", "dumper", "running", true, List.of(), List.of());
                    }

                    @Override
                    public CompletableFuture<OrderSnapshot> transactions() {
                        return CompletableFuture.failedFuture(new IllegalStateException("none here"));
                    }

                    @Override
                    public RowSearch rows() {
                        return RowPagesTest.this::find;
                    }
                },
                () -> null);
    }

    private CompletableFuture<HttpResponse<String>> get(String query, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + "/console/rows?" + query));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private void await(int number) {
        Await.until(() -> number + " searches, found " + begun(), LIMIT, () -> begun() == number);
    }

    private static Map<String, Object> nothing() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("rows", List.of());
        return answer;
    }

    @Test
    void rowsAreForTheUserOfTheEndpointOnlyAndOnlyIfItIsConfigured() {
        open(true, true);
        assertEquals(401, get("table=a.b").join().statusCode());
        CompletableFuture<HttpResponse<String>> answer =
                get("table=a.b&key=1&key=x%2Cy&since=2026-01-01&after=7:2", "Authorization", LOGIN);
        await(1);
        assertEquals(
                new RowQuestion("a.b", List.of("1", "x,y"), new RowQuestion.Range("2026-01-01", "", "", "7:2")),
                questions.get(0));
        assertTrue(showsValues);
        searches.get(0).complete(nothing());
        assertEquals("{\"rows\":[]}\n", answer.join().body());
        CompletableFuture<HttpResponse<String>> refused = get("table=a", "Authorization", LOGIN);
        await(2);
        searches.get(1).completeExceptionally(new IllegalArgumentException("expected a table"));
        assertEquals(400, refused.join().statusCode());
        assertEquals("expected a table\n", refused.join().body());
    }

    @Test
    void withoutALoginOrWithoutTheKeyNoValuesAreShownAndNoKeysAreSearched() {
        for (boolean hasLogin : List.of(true, false)) {
            open(hasLogin, !hasLogin);
            HttpResponse<String> key =
                    get("table=a.b&key=1", "Authorization", LOGIN).join();
            assertEquals(403, key.statusCode(), key.body());
            assertTrue(key.body().contains("admin.console.rows=true"), key.body());
            int before = begun();
            CompletableFuture<HttpResponse<String>> answer = get("table=a.b", "Authorization", LOGIN);
            await(before + 1);
            assertFalse(showsValues);
            searches.get(before).complete(nothing());
            assertTrue(
                    answer.join().body().contains("\"needed\":\"the login of admin.user"),
                    answer.join().body());
            server.close();
        }
    }

    @Test
    void aSearchStopsWhenTheBrowserLeavesAndOnlyAFewRunAtTheSameTime() {
        open(false, false);
        CompletableFuture<HttpResponse<String>> one = get("table=a.b");
        CompletableFuture<HttpResponse<String>> two = get("table=a.b");
        await(2);
        HttpResponse<String> three = get("table=a.b").join();
        assertEquals(503, three.statusCode());
        assertTrue(three.body().contains("at most 2 searches"), three.body());
        assertFalse(stops.stream().anyMatch(StopSignal::isRequested));
        assertTrue(one.cancel(true));
        Await.until(
                "the first or the second search to be stopped",
                LIMIT,
                () -> stops.stream().filter(StopSignal::isRequested).count() == 1);
        assertFalse(two.isDone());
        searches.forEach(search -> search.complete(nothing()));
        assertEquals(200, two.join().statusCode());
        CompletableFuture<HttpResponse<String>> next = get("table=a.b");
        await(3);
        searches.get(2).complete(nothing());
        assertEquals(200, next.join().statusCode());
    }
}
