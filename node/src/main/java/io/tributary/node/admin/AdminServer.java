package io.tributary.node.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A small HTTP server, for the machine's own operators: it answers GET of /metrics, /status, /xa, /ddl, /health, /shards, POST to
 * /reload, and to pages under /shards and /ddl. */
public final class AdminServer implements AutoCloseable {
    private static final int MAX_REQUEST = 16 << 10;
    private static final int MAX_LINE = 64 << 10; // a statement may stand in it
    private static final int MAX_HEADERS = 8 << 10;
    private static final int MAX_CHUNK = 8 << 10;

    private final EventLoopGroup loop;
    private final Channel channel;

    private AdminServer(EventLoopGroup loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Listens.
     *
     * @param metrics read for each request
     * @param node asked for each request, by the server's thread
     * @param reloading asked by the server's thread
     * @throws TributaryException ADDRESS_UNUSABLE when it cannot listen there
     */
    public static AdminServer open(HostPort listen, Metrics metrics, NodeView node, Reloading reloading) {
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("admin", true), NioIoHandler.newFactory());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel socket) {
                        socket.pipeline()
                                .addLast(new HttpServerCodec(MAX_LINE, MAX_HEADERS, MAX_CHUNK))
                                .addLast(new HttpObjectAggregator(MAX_REQUEST))
                                .addLast(new AdminPages(metrics, node, reloading));
                    }
                });
        ChannelFuture bound = bootstrap.bind(listen.resolve()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            end(loop);
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE,
                    "admin.listen: cannot listen on " + listen + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new AdminServer(loop, bound.channel());
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        end(loop);
    }

    private static void end(EventLoopGroup loop) {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
