package io.tributary.testkit.proxy;

import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy on 127.0.0.1 that injects faults, set and changed while it runs; one thread for all connections.
 *
 * <p>Without a fault it passes bytes unchanged. All setters may be called from any thread. Faults that count bytes
 * count from the call, over all connections together, and apply once.
 */
public final class TcpProxy implements AutoCloseable {
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ProxyPort proxyPort;
    private final Selector selector;
    private final Thread thread;
    private final Faults faults = new Faults();
    private final List<Connection> connections = new ArrayList<>();
    private volatile int open;
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closing;
    private final AtomicBoolean cutAll = new AtomicBoolean();
    private final AtomicBoolean changed = new AtomicBoolean();
    private final ByteBuffer input = ByteBuffer.allocateDirect(Flow.READ_SIZE);

    private static final class Connection {
        private final SocketChannel client;
        private final SocketChannel server;
        private final Flow toTarget;
        private final Flow toClient;

        /** Whether the selector has reported one of its channels, or it is new. */
        private boolean isReady = true;

        Connection(SocketChannel client, SocketChannel server, Flow toTarget, Flow toClient) {
            this.client = client;
            this.server = server;
            this.toTarget = toTarget;
            this.toClient = toClient;
        }

        long wakeAt() {
            return Math.min(toTarget.wakeAt(), toClient.wakeAt());
        }

        /** Whether bytes may be moved now; else it needs no call of the system. */
        boolean needsMove(long now) {
            return isReady || wakeAt() != Flow.NEVER && wakeAt() - now <= 0;
        }

        void register(Selector selector) {
            isReady = false;
            client.keyFor(selector).interestOps(toTarget.sourceInterest() | toClient.sinkInterest());
            server.keyFor(selector).interestOps(toClient.sourceInterest() | toTarget.sinkInterest());
        }
    }

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

    /**
     * Delays bytes by this time, in both directions: each by itself, so that bytes that are sent 1 ms apart arrive 1 ms apart. The number of connections
     * and the bytes on their way are not limited by it, up to 1 MiB in each direction of a connection.
     */
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
        changed.set(true);
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
        boolean movesAll = changed.getAndSet(false);
        long wakeAt = Flow.NEVER;
        for (Iterator<Connection> each = connections.iterator(); each.hasNext(); ) {
            Connection connection = each.next();
            if (movesAll || cut || connection.needsMove(now)) {
                if (cut || move(connection, now)) {
                    proxyPort.targetLeft();
                    close(connection);
                    each.remove();
                    continue;
                }
                connection.register(selector);
            }
            wakeAt = Math.min(wakeAt, connection.wakeAt());
        }
        wakeAt = Math.min(wakeAt, proxyPort.poll(faults.isRefusing(), now));
        open = connections.size();
        await(wakeAt);
        accept();
    }

    /** Waits for a channel, at most until a time. The selector counts in milliseconds: the rest of a delay is waited for in short steps. */
    private void await(long wakeAt) throws IOException {
        long left = wakeAt == Flow.NEVER ? 0 : Math.max(1, wakeAt - Clock.SYSTEM.nanoTime());
        long millis = TimeUnit.NANOSECONDS.toMillis(left);
        if (left == 0 || millis > 0) {
            selector.select(TcpProxy::markReady, millis);
        } else if (selector.selectNow(TcpProxy::markReady) == 0) {
            LockSupport.parkNanos(Math.min(left, STEP_NANOS));
        }
    }

    private static void markReady(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) {
            connection.isReady = true;
        }
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
            Connection made = new Connection(
                    client,
                    server,
                    new Flow(Direction.TO_TARGET, client, server, faults, input),
                    new Flow(Direction.TO_CLIENT, server, client, faults, input));
            prepare(client, made);
            prepare(server, made);
            connections.add(made);
        } catch (IOException e) { // the target is down: the client sees a closed connection
            proxyPort.targetLeft();
            client.close();
        }
    }

    private void prepare(SocketChannel channel, Connection of) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, 0, of);
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
