package io.tributary.mysql.protocol.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens for MySQL clients, logs them in and hands their commands to a {@link CommandHandler}. Owns no thread. */
public final class MysqlServer implements AutoCloseable {
    static final String PACKETS = "packets";
    static final String TALK = "talk";

    private final ServerSettings settings;
    private final CommandHandler handler;
    private final ServerSecrets secrets = new ServerSecrets();
    private final AtomicInteger lastThreadId = new AtomicInteger();
    private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;

    private MysqlServer(EventLoopGroup group, ServerSettings settings, CommandHandler handler) {
        this.settings = settings;
        this.handler = handler;
        this.listener = bind(group);
    }

    /**
     * Starts to listen.
     *
     * @param group event loops with NIO transport, which it does not own
     * @throws TributaryException {@code ADDRESS_UNUSABLE} where the address cannot be bound
     */
    public static MysqlServer start(EventLoopGroup group, ServerSettings settings, CommandHandler handler) {
        return new MysqlServer(group, settings, handler);
    }

    private Channel bind(EventLoopGroup group) {
        int high = settings.outboundBytes();
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 256)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(high / 2, high))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE,
                    "expected to listen on " + settings.address() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel channel) {
        connections.add(channel);
        PacketSequence sequence = new PacketSequence(true);
        boolean full = connections.size() > settings.maxConnections();
        long threadId = Integer.toUnsignedLong(lastThreadId.incrementAndGet());
        channel.pipeline()
                .addLast(PACKETS, new PacketDecoder(settings.maxLoginBytes(), sequence))
                .addLast(TALK, new ServerLogin(this, sequence, threadId, full));
    }

    /** The address that is listened on, with its real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** All logged-in sessions, by thread id. */
    public List<Session> sessions() {
        return sessions.values().stream()
                .sorted(Comparator.comparingLong(Session::threadId))
                .toList();
    }

    /** Closes the connection of the session with this thread id; false where there is none. */
    public boolean kill(long threadId) {
        Session session = sessions.get(threadId);
        if (session == null) {
            return false;
        }
        session.close();
        return true;
    }

    /** Stops listening and closes all connections; waits until that is done. Not on an event loop. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    ServerSettings settings() {
        return settings;
    }

    CommandHandler handler() {
        return handler;
    }

    ServerSecrets secrets() {
        return secrets;
    }

    void loggedIn(Session session) {
        sessions.put(session.threadId(), session);
    }

    void gone(Session session) {
        sessions.remove(session.threadId());
    }
}
