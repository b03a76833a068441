package io.tributary.testkit.proxy;

import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on 127.0.0.1 that injects faults, set and changed while it runs; one thread for all connections.
 *
 * <p>Without a fault it passes bytes unchanged. All setters may be called from any thread. Faults that count bytes
 * count from the call, over all connections together, and apply once.
 */
public final class TcpProxy implements AutoCloseable {
    private final ProxyPort proxyPort;
    private final Selector selector;
    private final Thread thread;
    private final Faults faults = new Faults();
    private final List<Connection> connections = new ArrayList<>();
    private volatile int open;
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closing;
    private final AtomicBoolean cutAll = new AtomicBoolean();

    private record Connection(SocketChannel client, SocketChannel server, Flow toTarget, Flow toClient) {}

    private TcpProxy(InetSocketAddress at, boolean mirrorsTarget, InetSocketAddress target) throws IOException {
        this.selector = Selector.open();
        this.proxyPort = new ProxyPort(selector, at, mirrorsTarget, List.of(target));
        this.thread = new Thread(this::run, "tcp-proxy-" + port());
        thread.setDaemon(true);
    }

    /** Starts a proxy to a port on 127.0.0.1; it listens on its own port. */
    public static TcpProxy to(int targetPort) {
        return at(InetAddress.getLoopbackAddress(), loopback(targetPort));
    }

    /**
     * Starts a proxy that mirrors a port on 127.0.0.1, at the same port of another address of loopback. It listens only while its target does, so
     * clients of a dead target are refused, and also all clients while {@link #refuse()} is active.
     */
    public static TcpProxy standingFor(InetAddress other, int targetPort) {
        return start(new InetSocketAddress(other, targetPort), true, loopback(targetPort));
    }

    /** Starts a proxy that listens at a free port of this address, which may be reachable from other machines. */
    public static TcpProxy at(InetAddress own, InetSocketAddress target) {
        return start(new InetSocketAddress(own, 0), false, target);
    }

    private static TcpProxy start(InetSocketAddress at, boolean mirrorsTarget, InetSocketAddress target) {
        try {
            TcpProxy proxy = new TcpProxy(at, mirrorsTarget, target);
            proxy.thread.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a proxy: " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public int port() {
        return proxyPort.port();
    }

    /** Sends new connections to this port, or to the next one of several that accepts them. Open connections stay. */
    public TcpProxy retarget(int... targetPorts) {
        return retarget(Arrays.stream(targetPorts).mapToObj(TcpProxy::loopback).toList());
    }

    /** As above, with addresses. */
    public TcpProxy retarget(List<InetSocketAddress> targets) {
        proxyPort.retarget(targets);
        return this;
    }

    /** Ends all faults; delayed bytes are sent. */
    public TcpProxy pass() {
        faults.clear();
        return wakeUp();
    }

    /** Closes the connection after this many more bytes in this direction; exactly these bytes arrive. */
    public TcpProxy cutAfter(Direction direction, long bytes) {
        faults.cutAfter(direction, bytes);
        return wakeUp();
    }

    /** Flips the lowest bit of the byte after this many more bytes in this direction. */
    public TcpProxy flipAfter(Direction direction, long bytes) {
        faults.flipAfter(direction, bytes);
        return this;
    }

    /** Delays bytes by this time, in both directions. */
    public TcpProxy delay(Duration delay) {
        faults.delay(delay);
        return wakeUp();
    }

    /** Passes at most this many bytes per second, for each connection and direction; 0 for no limit. */
    public TcpProxy throttle(long bytesPerSecond) {
        faults.throttle(bytesPerSecond);
        return wakeUp();
    }

    /** Passes no bytes in either direction and keeps all connections open, until {@link #pass()}. */
    public TcpProxy halfOpen() {
        faults.silence(EnumSet.allOf(Direction.class));
        return wakeUp();
    }

    /** Passes no bytes in this direction; the other direction continues. All connections stay open, until {@link #pass()}. */
    public TcpProxy silence(Direction direction) {
        faults.silence(EnumSet.of(direction));
        return wakeUp();
    }

    /** Closes new connections at once, until {@link #pass()}. Open connections stay. */
    public TcpProxy refuse() {
        faults.refuse(true);
        return wakeUp();
    }

    /** Closes all open connections. */
    public TcpProxy cut() {
        cutAll.set(true);
        return wakeUp();
    }

    /** The number of bytes that were passed in this direction since the start, over all connections. */
    public long bytes(Direction direction) {
        return faults.passed(direction);
    }

    /** The number of open connections. */
    public int connections() {
        return open;
    }

    /** The number of connections since the start, including refused ones. */
    public int accepted() {
        return accepted.get();
    }

    private TcpProxy wakeUp() {
        selector.wakeup();
        return this;
    }

    private void run() {
        try (selector;
                proxyPort) {
            while (!closing) {
                turn();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy's listener failed", e);
        } finally {
            connections.forEach(TcpProxy::close);
        }
    }

    private void turn() throws IOException {
        long now = Clock.SYSTEM.nanoTime();
        boolean cut = cutAll.getAndSet(false);
        long wakeAt = Flow.NEVER;
        for (Connection connection : List.copyOf(connections)) {
            if (cut || move(connection, now)) {
                proxyPort.targetLeft();
                close(connection);
                connections.remove(connection);
            } else {
                wakeAt = Math.min(wakeAt, Math.min(connection.toTarget.wakeAt(), connection.toClient.wakeAt()));
                connection
                        .client
                        .keyFor(selector)
                        .interestOps(connection.toTarget.sourceInterest() | connection.toClient.sinkInterest(now));
                connection
                        .server
                        .keyFor(selector)
                        .interestOps(connection.toClient.sourceInterest() | connection.toTarget.sinkInterest(now));
            }
        }
        wakeAt = Math.min(wakeAt, proxyPort.poll(faults.isRefusing(), now));
        open = connections.size();
        long pauseMillis = wakeAt == Flow.NEVER ? 0 : 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, wakeAt - now));
        selector.select(key -> {}, pauseMillis);
        accept();
    }

    private void accept() throws IOException {
        SocketChannel client = proxyPort.accept();
        if (client == null) {
            return;
        }
        accepted.incrementAndGet();
        if (faults.isRefusing()) {
            client.close();
            return;
        }
        try {
            SocketChannel server = proxyPort.dial();
            prepare(client);
            prepare(server);
            connections.add(new Connection(
                    client,
                    server,
                    new Flow(Direction.TO_TARGET, client, server, faults),
                    new Flow(Direction.TO_CLIENT, server, client, faults)));
        } catch (IOException e) { // the target is down: the client sees a closed connection
            proxyPort.targetLeft();
            client.close();
        }
    }

    private void prepare(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, 0);
    }

    /** Returns whether the connection has ended. It holds the faults' lock: a fault applies to every byte after the call that sets it. */
    private boolean move(Connection connection, long now) {
        synchronized (faults) {
            return moveLocked(connection, now);
        }
    }

    private static boolean moveLocked(Connection connection, long now) {
        try {
            boolean cutToTarget = connection.toTarget.move(now);
            boolean cutToClient = connection.toClient.move(now);
            boolean done = connection.toTarget.isDone() && connection.toClient.isDone();
            return cutToTarget || cutToClient || done;
        } catch (IOException e) { // one side was reset: close the other too
            return true;
        }
    }

    private static void close(Connection connection) {
        try {
            connection.client.close();
            connection.server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
