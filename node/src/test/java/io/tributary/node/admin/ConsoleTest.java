package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.metric.Metrics;
import io.tributary.node.console.ConsoleAccess;
import io.tributary.node.console.ConsoleState;
import io.tributary.node.status.NodeStatus;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import io.tributary.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages of the web console, its documents for viewers and operators, and the limits of its event streams. */
class ConsoleTest {
    private static final int SHARDS = 300;
    private static final int MEMBERS = 50_000;
    private static final int CONNECTIONS = 8;
    private static final int STREAMS = CONNECTIONS / 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String RIGHT = login("admin", "right");
    private static final Pattern IMPORT = Pattern.compile("(?:from|src=|href=) ?\"(?:\\./)?([a-z]+\\.[a-z]+)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Metrics metrics = MadeStatus.metrics(SHARDS);
    private AdminServer server;

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    private static String login(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static AdminAccess withLogin(boolean viewers) {
        return new AdminAccess(
                Optional.of("admin"),
                Optional.of(new Secret("right")),
                Optional.empty(),
                Optional.empty(),
                new ConsoleAccess(viewers, false));
    }

    private void open(AdminAccess access) {
        NodeStatus status = MadeStatus.of(SHARDS, MEMBERS);
        open(access, () -> status);
    }

    private void open(AdminAccess access, Supplier<NodeStatus> status) {
        server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), CONNECTIONS, TIMEOUT, access),
                metrics,
                new FixedView(status, () -> CompletableFuture.completedFuture(MadeStatus.transactions(5000))),
                () -> null);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyFileThatThePageUsesIsServedUnderAStrictPolicy() throws Exception {
        open(withLogin(false));
        assertEquals("/console/", get("/").headers().firstValue("location").orElseThrow());
        assertEquals(302, get("/console").statusCode());
        List<String> files = new ArrayList<>(List.of(""));
        for (int i = 0; i < files.size(); i++) {
            HttpResponse<String> file = get("/console/" + files.get(i));
            assertEquals(200, file.statusCode(), files.get(i));
            String policy = file.headers().firstValue("content-security-policy").orElseThrow();
            assertTrue(policy.startsWith("default-src 'none'") && !policy.contains("unsafe"), policy);
            assertEquals(
                    "nosniff",
                    file.headers().firstValue("x-content-type-options").orElseThrow());
            IMPORT.matcher(file.body())
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .filter(name -> !files.contains(name))
                    .forEach(files::add);
            assertFalse(file.body().contains("https://") || file.body().contains("innerHTML ="), files.get(i));
        }
        assertTrue(files.size() > 8, files::toString);
        String page = get("/console/").body();
        assertFalse(page.contains("<script>") || page.contains("style=") || page.contains("onclick"), page);
        assertEquals(404, get("/console/../../x").statusCode());
        assertEquals(404, get("/console/ConsoleFiles.class").statusCode());
        HttpResponse<String> post = http.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + server.address().getPort() + "/console/state"))
                        .header("Authorization", RIGHT)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(405, post.statusCode());
    }

    @Test
    void viewersWithoutALoginSeeNoRowsAddressesOrCommands() throws Exception {
        open(withLogin(true));
        String seen = get("/console/state").body();
        assertTrue(seen.contains("\"audience\":\"viewer\"") && seen.contains("\"epoch\":3"), seen);
        assertTrue(seen.contains("\"name\":\"s250\"") && seen.contains("SCHEMA_MIXED"), seen);
        for (String hidden : List.of(MadeStatus.SECRET, "tributary ", "11111111-", "ALTER", "binlog.0", "1.2.3")) {
            assertFalse(seen.contains(hidden), () -> hidden + " in " + seen);
        }
        assertFalse(get("/console/shards").body().contains("binlog.0"));
        assertEquals(401, get("/console/binlog").statusCode());
        assertEquals(401, get("/find?gtid=1").statusCode());
        String operator = get("/console/state", "Authorization", RIGHT).body();
        assertTrue(operator.contains("\"audience\":\"operator\"") && operator.contains("tributary ddl skip id2"));
        assertTrue(get("/console/state?audience=viewer", "Authorization", RIGHT)
                .body()
                .contains("\"audience\":\"viewer\""));
        HttpResponse<String> noBinlog = get("/console/binlog", "Authorization", RIGHT);
        assertEquals("no binlog is served here: ask the Dumper\n", noBinlog.body());
        assertEquals(400, get("/console/binlog?from=x", "Authorization", RIGHT).statusCode());
        assertEquals(400, get("/console/binlog?table=.", "Authorization", RIGHT).statusCode());
        assertEquals(
                "expected a TSO as a number, found 'x'\n",
                get("/find?tso=x", "Authorization", RIGHT).body());
    }

    @Test
    void aWrongPasswordIsRefusedAndViewersCanBeToo() throws Exception {
        open(withLogin(false));
        for (String path : List.of("/console/state", "/console/events", "/console/shards")) {
            assertEquals(401, get(path).statusCode(), path);
            assertEquals(
                    401, get(path, "Authorization", login("admin", "wrong")).statusCode(), path);
        }
        assertEquals(200, get("/console/").statusCode());
        assertEquals(200, get("/console/state", "Authorization", RIGHT).statusCode());
    }

    @Test
    void theDocumentIsBoundedForManyShardsTablesAndTransactions() throws Exception {
        open(AdminAccess.OPEN);
        String state = get("/console/state").body();
        assertTrue(state.length() < ConsoleState.MOST_BYTES, () -> state.length() + " bytes");
        assertTrue(state.contains("\"total\":300,\"shown\":[{\"name\":\"s250\",\"state\":\"held\""), state);
        assertTrue(state.contains("151 shards are held"), state);
        assertTrue(state.contains("\"total\":5000"), state);
        assertTrue(state.contains("more characters"), state);
        assertEquals(50, count(get("/console/shards?from=200").body(), "\"name\""));
        assertEquals(0, count(get("/console/shards?from=300").body(), "\"name\""));
        String found = get("/console/shards?name=S25").body();
        assertTrue(found.contains("\"total\":11"), found);
        assertEquals(400, get("/console/shards?from=-1").statusCode());
    }

    private static long count(String text, String part) {
        return Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
    }

    @Test
    void aNodeThatStartsIsShownAsSuch() throws Exception {
        open(
                AdminAccess.OPEN,
                () -> new NodeStatus(
                        "1.2.3", "dumper", "starting: waits to try again after: X", false, List.of(), List.of()));
        String state = get("/console/state").body();
        assertTrue(state.contains("\"level\":\"warning\",\"text\":\"This node does not work at the moment: starting"));
        assertFalse(state.contains("\"dumper\":{"), state);
    }

    /** A connection that asked for events. */
    private final class Events implements AutoCloseable {
        private final Socket socket = new Socket();
        private BufferedReader reader;

        Events() throws IOException {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.address().getPort()));
            socket.getOutputStream()
                    .write("GET /console/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
        }

        String line() throws IOException {
            if (reader == null) {
                reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            }
            return reader.readLine();
        }

        String until(String part) throws IOException {
            String line = line();
            while (line != null && !line.contains(part)) {
                line = line();
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void eventsArriveRepeatedlyAndTheirReadersAreLimited() throws Exception {
        open(AdminAccess.OPEN);
        List<Events> all = new ArrayList<>();
        try {
            for (int i = 0; i < STREAMS; i++) {
                Events events = new Events();
                all.add(events);
                assertEquals("HTTP/1.1 200 OK", events.line());
                assertEquals("event: history", events.until("event: "));
                assertEquals("event: state", events.until("event: "));
                assertTrue(events.line().startsWith("data: {\"millis\":"));
            }
            assertEquals("event: state", all.get(0).until("event: "));
            try (Events tooMany = new Events()) {
                assertEquals("HTTP/1.1 503 Service Unavailable", tooMany.line());
                assertTrue(tooMany.until("expected at most").contains(STREAMS + " open pages"));
            }
            all.remove(0).close();
            awaitRoom();
        } finally {
            for (Events events : all) {
                events.close();
            }
        }
    }

    private void awaitRoom() {
        Await.until(() -> "room for one more reader of events", LIMIT, () -> {
            try (Events events = new Events()) {
                return "HTTP/1.1 200 OK".equals(events.line());
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    void readersOfEventsThatDoNotReadAreCutAndOthersAreServed() throws Exception {
        open(AdminAccess.OPEN);
        List<Events> silent = new ArrayList<>();
        try {
            for (int i = 0; i < STREAMS; i++) {
                silent.add(new Events());
            }
            Await.until(() -> "all places to be taken", LIMIT, () -> {
                try (Events events = new Events()) {
                    return "HTTP/1.1 503 Service Unavailable".equals(events.line());
                } catch (IOException e) {
                    return false;
                }
            });
            assertEquals(200, get("/console/").statusCode());
            awaitRoom();
        } finally {
            for (Events events : silent) {
                events.close();
            }
        }
    }

    /** A node whose searches never end by themselves. */
    private record SearchedView(NodeView view, BlockingQueue<CompletableFuture<NodeTables.Table>> searches)
            implements NodeView {
        @Override
        public NodeStatus status() {
            return view.status();
        }

        @Override
        public CompletableFuture<OrderSnapshot> transactions() {
            return view.transactions();
        }

        private CompletableFuture<NodeTables.Table> search() {
            CompletableFuture<NodeTables.Table> search = new CompletableFuture<>();
            searches.add(search);
            return search;
        }

        @Override
        public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
            return search();
        }

        @Override
        public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
            return search();
        }
    }

    @Test
    void aSearchEndsWhenItsConnectionIsClosed() throws Exception {
        NodeStatus status = MadeStatus.of(1, 1);
        SearchedView view = new SearchedView(
                new FixedView(() -> status, () -> CompletableFuture.completedFuture(MadeStatus.transactions(1))),
                new LinkedBlockingQueue<>());
        AdminConfig config = new AdminConfig(
                new HostPort("127.0.0.1", 0), List.of(), CONNECTIONS, Duration.ofSeconds(30), AdminAccess.OPEN);
        server = AdminServer.open(config, metrics, view, () -> null);
        for (String path :
                List.of("/console/binlog?table=shop.t", "/find?gtid=11111111-1111-1111-1111-111111111111:1")) {
            CompletableFuture<NodeTables.Table> search;
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().getPort())) {
                String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                search = view.searches().poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertFalse(search.isDone());
            }
            Await.until("the end of the search", Duration.ofSeconds(3), search::isCancelled);
        }
    }
}
