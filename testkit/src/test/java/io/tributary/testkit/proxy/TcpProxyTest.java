package io.tributary.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault changes the bytes as documented, and nothing else. */
class TcpProxyTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private ServerSocket listener;
    private TcpProxy proxy;
    private Socket client;
    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        proxy = TcpProxy.to(listener.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        server = listener.accept();
        client.setSoTimeout(10_000);
        server.setSoTimeout(10_000);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
        proxy.close();
        listener.close();
    }

    @Test
    void passesManyBytesInBothDirectionsAndTheEnd() throws Exception {
        byte[] sent = new byte[3 << 20];
        new Random(1).nextBytes(sent);
        Thread writer = new Thread(() -> write(client, sent));
        writer.start();
        assertArrayEquals(sent, server.getInputStream().readNBytes(sent.length));
        writer.join();
        client.shutdownOutput();
        assertEquals(-1, server.getInputStream().read());
        write(server, new byte[] {1, 2, 3});
        assertArrayEquals(new byte[] {1, 2, 3}, client.getInputStream().readNBytes(3));
        server.close();
        assertEquals(-1, client.getInputStream().read());
        Await.until("the connection to be closed", LIMIT, () -> proxy.connections() == 0);
        assertEquals(sent.length, proxy.bytes(Direction.TO_TARGET));
        assertEquals(3, proxy.bytes(Direction.TO_CLIENT));
    }

    @Test
    void cutsAfterExactlyThisManyBytes() throws Exception {
        write(server, new byte[10]);
        client.getInputStream().readNBytes(10);
        proxy.cutAfter(Direction.TO_CLIENT, 7);
        write(server, new byte[100]);
        assertEquals(7, client.getInputStream().readAllBytes().length);
        Await.until("the connection to be closed", LIMIT, () -> proxy.connections() == 0);

        try (Socket second = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket secondServer = listener.accept()) {
            write(secondServer, new byte[100]);
            assertEquals(100, second.getInputStream().readNBytes(100).length);
        }
    }

    @Test
    void flipsOneBitOfOneByte() throws Exception {
        proxy.flipAfter(Direction.TO_TARGET, 5);
        write(client, new byte[4]);
        write(client, new byte[4]);
        byte[] expected = new byte[8];
        expected[5] = 1;
        assertArrayEquals(expected, server.getInputStream().readNBytes(8));
    }

    @Test
    void delaysAndThrottles() throws Exception {
        long start = System.nanoTime();
        proxy.delay(Duration.ofMillis(50));
        write(client, new byte[1]);
        server.getInputStream().readNBytes(1);
        assertTrue(System.nanoTime() - start >= 50_000_000);

        proxy.pass().throttle(100_000);
        start = System.nanoTime();
        write(client, new byte[20_000]);
        server.getInputStream().readNBytes(20_000);
        assertTrue(System.nanoTime() - start >= 150_000_000);
    }

    @Test
    void aDelayIsLatencyOfEachByteAndNotMore() throws Exception {
        proxy.delay(Duration.ofMillis(5));
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            long start = System.nanoTime();
            write(client, new byte[1]);
            server.getInputStream().readNBytes(1);
            write(server, new byte[1]);
            client.getInputStream().readNBytes(1);
            shortest = Math.min(shortest, System.nanoTime() - start);
        }
        assertTrue(shortest >= 10_000_000 && shortest < 11_500_000, "round trip: " + shortest + " ns");
    }

    @Test
    void bytesOnTheirWayDoNotWaitForEachOther() throws Exception {
        proxy.delay(Duration.ofMillis(200));
        long[] sent = new long[100];
        Thread writer = new Thread(() -> {
            for (int i = 0; i < sent.length; i++) {
                sent[i] = System.nanoTime();
                write(client, new byte[1]);
                LockSupport.parkNanos(1_000_000); // no condition: bytes at different times
            }
        });
        writer.start();
        long latest = 0;
        for (int i = 0; i < sent.length; i++) {
            server.getInputStream().readNBytes(1);
            latest = System.nanoTime();
        }
        writer.join();
        assertTrue(latest - sent[sent.length - 1] >= 200_000_000);
        assertTrue(latest - sent[sent.length - 1] < 1_000_000_000, "one after another they would need 20 s");
    }

    @Test
    void halfOpenHoldsEverythingUntilItPassesAgain() throws Exception {
        proxy.halfOpen();
        write(client, new byte[] {1, 2});
        server.setSoTimeout(100);
        assertThrows(SocketTimeoutException.class, () -> server.getInputStream().read());
        assertEquals(1, proxy.connections());
        proxy.pass();
        server.setSoTimeout(10_000);
        assertArrayEquals(new byte[] {1, 2}, server.getInputStream().readNBytes(2));
    }

    @Test
    void oneWayHoldsBackOneDirectionOnly() throws Exception {
        proxy.silence(Direction.TO_TARGET);
        write(client, new byte[] {1, 2});
        write(server, new byte[] {3});
        assertEquals(3, client.getInputStream().read());
        server.setSoTimeout(100);
        assertThrows(SocketTimeoutException.class, () -> server.getInputStream().read());
        proxy.pass();
        server.setSoTimeout(10_000);
        assertArrayEquals(new byte[] {1, 2}, server.getInputStream().readNBytes(2));
    }

    @Test
    void refusesNewConnectionsAndCutsOldOnes() throws Exception {
        proxy.refuse();
        try (Socket second = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            second.setSoTimeout(10_000);
            assertEquals(-1, second.getInputStream().read());
        }
        assertEquals(2, proxy.accepted());
        proxy.cut();
        assertEquals(-1, client.getInputStream().read());
    }

    @Test
    void closesTheClientWhenTheTargetIsDown() throws Exception {
        listener.close();
        try (Socket second = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            second.setSoTimeout(10_000);
            assertEquals(-1, second.getInputStream().read());
        }
        assertEquals(2, proxy.accepted());
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aProxyThatMirrorsItsTargetListensOnlyWhileTheTargetDoes() throws Exception {
        InetAddress other = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        int port = listener.getLocalPort();
        try (TcpProxy standing = TcpProxy.standingFor(other, port)) {
            awaitDoor(other, port, true);
            try (Socket through = new Socket(other, port)) {
                listener.close(); // and the connections that it has not accepted
                assertTrue(hasEnded(through));
                assertThrows(ConnectException.class, () -> new Socket(other, port).close());
            }
            listener = new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
            awaitDoor(other, port, true);
            standing.refuse();
            awaitDoor(other, port, false);
            standing.pass();
            awaitDoor(other, port, true);
        }
    }

    /** Waits for the end of the connection, by a close or a reset. */
    private static boolean hasEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException e) {
            return true;
        }
    }

    private static void awaitDoor(InetAddress at, int port, boolean isOpen) {
        Await.until("the listener at " + at, LIMIT, () -> {
            try (Socket knock = new Socket(at, port)) {
                return isOpen && knock.isConnected();
            } catch (ConnectException e) {
                return !isOpen;
            }
        });
    }

    @Test
    void connectsToTheNextOfSeveralTargetsThatAcceptsTheConnection() throws Exception {
        listener.close();
        try (ServerSocket second = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            proxy.retarget(listener.getLocalPort(), second.getLocalPort());
            for (int i = 0; i < 2; i++) {
                try (Socket through = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                        Socket reached = second.accept()) {
                    write(through, new byte[] {7});
                    assertEquals(7, reached.getInputStream().read());
                }
            }
        }
    }
}
