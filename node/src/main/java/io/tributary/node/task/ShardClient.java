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
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
