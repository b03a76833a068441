package io.tributary.mysql.protocol.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The listener for clients. It accepts connections before the server runs: until a {@link MysqlServer} takes over, it refuses each client
 * with a reason in error 1053. A replica treats this error as a lost connection and retries, also during its first queries, because its
 * library reconnects by itself; after most other errors a replica stops. Any thread.
 */
public final class ServerListener implements AutoCloseable {
    private static final int SHUTDOWN = 1053;
    private static final int ERROR = 0xff;

    private final EventLoopGroup group;
    private final String reason;
    private final Channel listener;
    private volatile Consumer<Channel> acceptor = this::refuse;

    private ServerListener(EventLoopGroup group, InetSocketAddress address, String reason) {
        this.group = group;
        this.reason = reason;
        this.listener = bind(address);
    }

    /**
     * Starts to listen.
     *
     * @param group event loops with NIO transport, which it does not own
     * @param address port 0 means any free port
     * @param reason the message for clients until there is a server
     * @throws TributaryException {@code ADDRESS_UNUSABLE} if the address cannot be bound
     */
    public static ServerListener open(EventLoopGroup group, InetSocketAddress address, String reason) {
        return new ServerListener(group, address, reason);
    }

    private Channel bind(InetSocketAddress address) {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 256)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        acceptor.accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE,
                    "expected to listen on " + address + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    private void refuse(Channel channel) {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext ctx) {
                Outbound.sendLast(ctx.channel(), refusal(ctx));
            }
        });
    }

    /** The packet instead of a greeting; before a greeting, errors have no SQL state. */
    private ByteBuf refusal(ChannelHandlerContext ctx) {
        ByteBuf out = ctx.alloc().buffer();
        int at = Packets.begin(out);
        out.writeByte(ERROR).writeShortLE(SHUTDOWN);
        out.writeCharSequence(reason, StandardCharsets.UTF_8);
        Packets.end(out, at, new PacketSequence(true));
        return out;
    }

    /** From now on passes each new connection to {@code next}; on event loops. */
    void handTo(Consumer<Channel> next) {
        acceptor = next;
    }

    /** The event loops on which connections are served. */
    public EventLoopGroup group() {
        return group;
    }

    /** The listen address, with its real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Stops listening; waits until that is done. Not on an event loop. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
    }
}
