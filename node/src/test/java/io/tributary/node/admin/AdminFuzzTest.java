package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.common.Corpus;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.node.status.NodeStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Invalid requests to the admin endpoint: each is answered or its connection is closed, and the next request is answered. */
class AdminFuzzTest {
    private static final int ROUNDS = 500;
    private static final int TIMEOUT_MILLIS = 20_000;

    private static final Metrics METRICS = new Metrics();
    private static AdminServer server;

    @BeforeAll
    static void listen() {
        NodeStatus status = new NodeStatus("1.2.3", "standalone", "running", true, List.of("s1"), List.of());
        server = AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 8, Duration.ofSeconds(1), AdminAccess.OPEN),
                METRICS,
                new FixedView(
                        () -> status,
                        () -> CompletableFuture.failedFuture(
                                new IllegalStateException("no transactions are ordered here")),
                        null),
                () -> null);
    }

    @AfterAll
    static void close() {
        server.close();
        METRICS.close();
    }

    @FuzzTest(maxDuration = "60s")
    void requests(byte[] bytes) {
        BugDetectors.allowNetworkConnections(); // to the server of this test
        String unused = answer(bytes);
        String health = answer("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(health.startsWith("HTTP/1.1 200 OK"), health);
    }

    private static String answer(byte[] bytes) {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            try {
                socket.getOutputStream().write(bytes);
                if (!new String(bytes, StandardCharsets.ISO_8859_1).contains("Connection: close")) {
                    socket.shutdownOutput();
                }
                InputStream in = socket.getInputStream();
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (SocketException reset) {
                return ""; // the server closed the connection before it read everything
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void mutatedRequestsAreAnsweredOrClosed() {
        Corpus.of(AdminFuzzTest.class, "requests").mutate(1, ROUNDS, this::requests);
    }
}
