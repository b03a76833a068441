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
 * The address at which clients arrive. It is there before the server is: until a {@link MysqlServer} takes them over, who comes is told
 * why he cannot come in, with error 1053, which a replica takes for a broken network and tries again, also where it comes in the middle of its
 * first questions: its library connects anew by itself then, and of most other errors a replica stops for good. Any thread.
 */
public final class Doorstep implements AutoCloseable {
    private static final int SHUTDOWN = 1053;
    private static final int ERROR = 0xff;

    private final EventLoopGroup group;
    private final String reason;
    private final Channel listener;
    private volatile Consumer<Channel> taker = this::refuse;

    private Doorstep(EventLoopGroup group, InetSocketAddress address, String reason) {
        this.group = group;
        this.reason = reason;
        this.listener = bind(address);
    }

    /**
     * Starts to listen.
     *
     * @param group event loops with NIO transport, which it does not own
     * @param address port 0 takes a free one
     * @param reason what clients are told until there is a server
     * @throws TributaryException {@code ADDRESS_UNUSABLE} where the address cannot be bound
     */
    public static Doorstep open(EventLoopGroup group, InetSocketAddress address, String reason) {
        return new Doorstep(group, address, reason);
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
                        taker.accept(channel);
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

    /** In place of a greeting; before one is sent no error has an SQL state. */
    private ByteBuf refusal(ChannelHandlerContext ctx) {
        ByteBuf out = ctx.alloc().buffer();
        int at = Packets.begin(out);
        out.writeByte(ERROR).writeShortLE(SHUTDOWN);
        out.writeCharSequence(reason, StandardCharsets.UTF_8);
        Packets.end(out, at, new PacketSequence(true));
        return out;
    }

    /** From now on whoever comes is given to this; on event loops. */
    void handTo(Consumer<Channel> next) {
        taker = next;
    }

    /** The loops on which connections are served. */
    public EventLoopGroup group() {
        return group;
    }

    /** The address that is listened on, with its real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Stops listening; waits until that is done. Not on an event loop. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
    }
}
