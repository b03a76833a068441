package io.tributary.testkit.proxy;

import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The listener of a proxy and its targets. A proxy that mirrors its target listens only while the target does: the kernel refuses clients of a dead
 * target, as at the target itself. Used by the proxy's thread, except for the targets.
 */
final class ProxyPort implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int DIAL_MILLIS = 250;

    private final Selector selector;
    private final InetSocketAddress at;
    private final boolean mirrorsTarget;
    private volatile List<InetSocketAddress> targets;
    private ServerSocketChannel listener; // null while it is closed
    private int next;
    private long polledNanos;

    /** @param at port 0 for a free one; {@link #poll} opens it if the proxy mirrors its target */
    ProxyPort(Selector selector, InetSocketAddress at, boolean mirrorsTarget, List<InetSocketAddress> targets)
            throws IOException {
        this.selector = selector;
        this.mirrorsTarget = mirrorsTarget;
        this.targets = List.copyOf(targets);
        if (mirrorsTarget) {
            this.at = at;
        } else {
            open(at);
            this.at = (InetSocketAddress) listener.getLocalAddress();
        }
    }

    private void open(InetSocketAddress address) throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(address);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    int port() {
        return at.getPort();
    }

    /** New connections try these in turn. */
    void retarget(List<InetSocketAddress> others) {
        targets = List.copyOf(others);
    }

    /** A new client; null for none. */
    SocketChannel accept() throws IOException {
        return listener == null ? null : listener.accept();
    }

    /** Connects to the next target that accepts the connection; throws if none does. */
    SocketChannel dial() throws IOException {
        List<InetSocketAddress> all = targets;
        for (int tries = 1; ; tries++) {
            InetSocketAddress target = all.get(next++ % all.size());
            try {
                return connect(target);
            } catch (IOException e) {
                if (tries >= all.size()) {
                    throw e;
                }
            }
        }
    }

    /** Connects with a timeout that is shorter than the kernel's, because a dead machine does not answer. */
    private static SocketChannel connect(InetSocketAddress target) throws IOException {
        SocketChannel made = SocketChannel.open();
        try {
            made.socket().connect(target, DIAL_MILLIS);
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /** Opens or closes the listener of a proxy that mirrors its target. Returns the time of the next call, {@link Flow#NEVER} for none. */
    long poll(boolean isRefusing, long now) throws IOException {
        if (!mirrorsTarget) {
            return Flow.NEVER;
        }
        if (isRefusing) {
            closeListener();
        } else if (listener == null && now - polledNanos >= POLL_NANOS) {
            polledNanos = now;
            if (targetListens()) {
                open(at);
            }
        }
        return listener == null ? now + POLL_NANOS : Flow.NEVER;
    }

    /** Called when a connection to the target has ended or failed: closes the listener if the target does not listen any more. */
    void targetLeft() throws IOException {
        if (mirrorsTarget && listener != null && !targetListens()) {
            closeListener();
            polledNanos = Clock.SYSTEM.nanoTime();
        }
    }

    /** Whether the target listens. A process that is killed while it accepts resets the connection. */
    private boolean targetListens() {
        try (SocketChannel probe = SocketChannel.open(targets.get(0))) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void closeListener() throws IOException {
        if (listener != null) {
            listener.close();
            listener = null;
            selector.selectNow(key -> {}); // only this releases the port in the kernel
        }
    }

    @Override
    public void close() throws IOException {
        closeListener();
    }
}
