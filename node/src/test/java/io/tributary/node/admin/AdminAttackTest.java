package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.io.DirectMemory;
import io.tributary.common.metric.Metrics;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hostile requests to the admin endpoint; requests of other clients are answered meanwhile. */
class AdminAttackTest {
    private static final int CONNECTIONS = 8;
    private static final int PAGE_BYTES = 1 << 20;
    private static final int REQUESTS = 20_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final long MOST_DIRECT_BYTES = 8 << 20;

    private final Metrics metrics = new Metrics();
    private AdminServer server;

    @BeforeEach
    void listen() {
        NodeStatus status = new NodeStatus(
                "1.2.3",
                "standalone",
                "running",
                true,
                List.of("s1"),
                List.of(new MemberStatus("x".repeat(PAGE_BYTES))));
        server = AdminServer.open(
                new AdminConfig(
                        new HostPort("127.0.0.1", 0), List.of("Admin.Example"), CONNECTIONS, TIMEOUT, AdminAccess.OPEN),
                metrics,
                new FixedView(
                        () -> status,
                        () -> CompletableFuture.failedFuture(
                                new IllegalStateException("no transactions are ordered here")),
                        null),
                () -> null);
    }

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    private Socket connect() throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The bytes that arrive until the server closes the connection. */
    private String answer(String request) throws IOException {
        try (Socket socket = connect()) {
            send(socket, request + "Connection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void assertHealthy() throws IOException {
        assertTrue(answer("GET /health HTTP/1.1\r\nHost: localhost\r\n").startsWith("HTTP/1.1 200 OK"));
    }

    @Test
    void aClientThatSendsRequestsAndNeverReadsUsesNoMemoryAndIsClosed() throws Exception {
        long before = DirectMemory.used();
        try (Socket socket = connect()) {
            String request = "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n";
            Thread sender = new Thread(() -> {
                try {
                    for (int sent = 0; sent < REQUESTS; sent++) {
                        send(socket, request);
                    }
                    socket.getOutputStream().flush();
                    socket.shutdownOutput();
                } catch (IOException closed) {
                    // the server has closed it
                }
            });
            sender.start();
            assertHealthy();
            sender.join(TIMEOUT_MILLIS);
            assertTrue(
                    DirectMemory.used() - before < MOST_DIRECT_BYTES, () -> DirectMemory.used() + " beside " + before);
            assertTrue(readable(socket) < (long) REQUESTS * PAGE_BYTES, "it was closed");
        }
        assertHealthy();
    }

    /** Bytes until the connection ends. */
    private static long readable(Socket socket) throws IOException {
        long bytes = 0;
        byte[] buffer = new byte[1 << 16];
        try {
            for (int read = socket.getInputStream().read(buffer); read >= 0; ) {
                bytes += read;
                read = socket.getInputStream().read(buffer);
            }
        } catch (SocketException reset) {
            return bytes;
        }
        return bytes;
    }

    @Test
    void aQueryThatIsNotWellFormedIsAnswered() throws Exception {
        for (String path : List.of("/xa?as=%00%ff%zz", "/%zz", "/find?gtid=%", "/ddl?id=%q")) {
            String answer = answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 400"), path + ": " + answer);
        }
        assertTrue(answer("NONSENSE\r\n").startsWith("HTTP/1.1 400"));
    }

    @Test
    void headIsGetWithoutTheBody() throws Exception {
        String answer = answer("HEAD /health HTTP/1.1\r\nHost: localhost\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 OK"), answer);
        assertTrue(answer.contains("content-length: 8\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\n"), answer);
    }

    @Test
    void aHostNameOfAWebPageIsRefused() throws Exception {
        for (String host : List.of("localhost", "127.0.0.1:9107", "[::1]:9107", "admin.example:9107", "10.0.0.7")) {
            assertTrue(answer("GET /health HTTP/1.1\r\nHost: " + host + "\r\n").startsWith("HTTP/1.1 200"), host);
        }
        for (String host : List.of("evil.example", "localhost.evil.example:9107", "[::1", "127.0.0.1.evil.example")) {
            String answer = answer("GET /health HTTP/1.1\r\nHost: " + host + "\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 421"), answer);
            assertTrue(answer.contains("admin.hosts"), answer);
        }
    }

    @Test
    void aConnectionWithoutACompleteRequestIsClosed() throws Exception {
        try (Socket silent = connect();
                Socket slow = connect()) {
            send(slow, "GET /health HT");
            assertEquals(-1, silent.getInputStream().read());
            assertEquals(-1, slow.getInputStream().read());
        }
        assertHealthy();
    }

    @Test
    void connectionsOverTheLimitAreClosedAndLaterOnesAreAnswered() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int number = 0; number < CONNECTIONS; number++) {
                Socket socket = connect();
                open.add(socket);
                send(socket, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertEquals('H', socket.getInputStream().read(), "answered: " + number);
            }
            try (Socket further = connect()) {
                assertEquals(0, readable(further));
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void aRequestThatArrivesInPiecesIsAnswered() throws IOException {
        byte[] request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < 3_000; i++) {
            int cut = 1 + i % (request.length - 1);
            try (Socket socket = connect()) {
                socket.setTcpNoDelay(true);
                socket.getOutputStream().write(request, 0, cut);
                socket.getOutputStream().write(request, cut, request.length - cut);
                assertEquals('H', socket.getInputStream().read(), "cut at " + cut + ", connection " + i);
            }
        }
    }
}
