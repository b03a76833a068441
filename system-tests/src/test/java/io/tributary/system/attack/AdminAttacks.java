package io.tributary.system.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The attacks of a client without a login at {@code admin.listen}. */
public final class AdminAttacks {
    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 300;

    private final int port;
    private final Random random;

    public AdminAttacks(int port, long seed) {
        this.port = port;
        this.random = new Random(seed);
    }

    public List<Attack> all() {
        byte[] ahead = bytes("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000));
        return List.of(
                new Attack(
                        "many requests whose answers are not read",
                        () -> Sockets.floodWithoutReading(port, ahead, LENGTH)),
                new Attack("more such requests", () -> Sockets.floodWithoutReading(port, ahead, LENGTH)),
                new Attack(
                        "a header without an end",
                        () -> Sockets.floodWithoutReading(
                                port, bytes("GET / HTTP/1.1\r\nX: " + "y".repeat(9000)), LENGTH)),
                new Attack("idle admin connections", () -> Sockets.idle(port, CONNECTIONS)),
                new Attack("garbage for HTTP", () -> Sockets.garbage(port, CONNECTIONS, random)),
                new Attack("odd requests", this::oddRequests));
    }

    private void oddRequests() throws IOException {
        requireStatus("GET /xa?as=%00%ff%zz", "localhost", "400");
        requireStatus("HEAD /health", "localhost", "200");
        requireStatus("GET /health", "evil.example", "421");
    }

    private void requireStatus(String request, String host, String status) throws IOException {
        byte[] answer =
                Sockets.answer(port, bytes(request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"));
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        boolean isBusy = text.isEmpty(); // closed, because other attacks hold all connections
        if (!isBusy && !text.startsWith("HTTP/1.1 " + status)) {
            throw new IllegalStateException(request + " to " + host + ": expected status " + status + ", got "
                    + text.lines().findFirst());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
