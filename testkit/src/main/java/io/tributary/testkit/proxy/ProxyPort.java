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
 * Where a proxy listens, and where it dials. One that stands for its target listens only while the target does: whoever comes to a target that
 * is gone is refused by the kernel, as at the target itself. Used by the proxy's thread, but for the targets.
 */
final class Door implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int DIAL_MILLIS = 250;

    private final Selector selector;
    private final InetSocketAddress at;
    private final boolean standsForTarget;
    private volatile List<InetSocketAddress> targets;
    private ServerSocketChannel listener; // null while it is shut
    private int next;
    private long lookedNanos;

    /** @param at port 0 for a free one; opened by {@link #look} where it stands for its target */
    Door(Selector selector, InetSocketAddress at, boolean standsForTarget, List<InetSocketAddress> targets)
            throws IOException {
        this.selector = selector;
        this.standsForTarget = standsForTarget;
        this.targets = List.copyOf(targets);
        if (standsForTarget) {
            this.at = at;
        } else {
            open(at);
            this.at = (InetSocketAddress) listener.getLocalAddress();
        }
    }

    private void open(InetSocketAddress where) throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(where);
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

    /** Connects to the next target that takes it; throws when none does. */
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

    /** A machine that is gone says nothing: it is not waited for as long as the kernel would. */
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

    /** Opens or shuts it, where it stands for its target; when it is to be looked at again, {@link Flow#NEVER} for no need. */
    long look(boolean isRefusing, long now) throws IOException {
        if (!standsForTarget) {
            return Flow.NEVER;
        }
        if (isRefusing) {
            shut();
        } else if (listener == null && now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            if (targetListens()) {
                open(at);
            }
        }
        return listener == null ? now + LOOK_NANOS : Flow.NEVER;
    }

    /** A connection to the target has ended, or was not made: shuts the door if nobody listens there any more. */
    void targetLeft() throws IOException {
        if (standsForTarget && listener != null && !targetListens()) {
            shut();
            lookedNanos = Clock.SYSTEM.nanoTime();
        }
    }

    /** A process that is killed while it accepts resets the connection. */
    private boolean targetListens() {
        try (SocketChannel probe = SocketChannel.open(targets.get(0))) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void shut() throws IOException {
        if (listener != null) {
            listener.close();
            listener = null;
            selector.selectNow(key -> {}); // the kernel lets go of the port only then
        }
    }

    @Override
    public void close() throws IOException {
        shut();
    }
}
