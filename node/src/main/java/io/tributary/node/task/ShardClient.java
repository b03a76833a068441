package io.tributary.node.task;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.concurrent.TimeUnit;

/** The client for all shards, and owner of the event loops of its connections. */
public final class ShardClient implements AutoCloseable {
    private static final int MOST_LOOPS = 4;
    private static final long MOST_MILLIS = 1000;
    /** With 0, Netty's loop may end between two of its checks without closing its channels: their answers would never come. */
    private static final long QUIET_MILLIS = 10;

    private final EventLoopGroup loops;

    /** With a loop for each core, up to four. */
    public ShardClient() {
        this(Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors()));
    }

    /** @param threads the number of event loops */
    public ShardClient(int threads) {
        loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("shards", true), NioIoHandler.newFactory());
    }

    public MysqlClient client() {
        return new MysqlClient(loops);
    }

    /** Closes all connections that are still open. */
    @Override
    public void close() {
        loops.shutdownGracefully(QUIET_MILLIS, MOST_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * MOST_MILLIS, TimeUnit.MILLISECONDS);
    }
}
