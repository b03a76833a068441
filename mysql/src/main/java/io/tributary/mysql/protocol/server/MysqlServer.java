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
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.auth.Account;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens for MySQL clients, logs them in and hands their commands to a {@link CommandHandler}. It lives on the event loops that
 * it is given; one thread of its own checks passwords and looks at files, so that a login disturbs no dump.
 */
public final class MysqlServer implements AutoCloseable {
    static final String PACKETS = "packets";
    static final String TALK = "talk";

    /** The host of a connection that is not logged in. */
    private static final AttributeKey<InetAddress> STANDS = AttributeKey.valueOf(MysqlServer.class, "stands");

    private final ServerSettings settings;
    private final CommandHandler handler;
    private final ServerSecrets secrets = new ServerSecrets();
    private final AtomicInteger lastThreadId = new AtomicInteger();
    private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
    private final LoginGate gate;
    private final EventExecutorGroup logins = new DefaultEventExecutorGroup(1, new DefaultThreadFactory("login", true));
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;

    private MysqlServer(EventLoopGroup group, ServerSettings settings, CommandHandler handler) {
        this.settings = settings;
        this.handler = handler;
        this.gate = new LoginGate(settings.limits().logins(), settings.limits().refusalDelay());
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
        int high = settings.limits().outboundBytes();
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

    @SuppressWarnings("FutureReturnValueIgnored") // a listener of the close is called in any case
    private void accept(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            Outbound.close(channel); // gone already
            return;
        }
        connections.add(channel);
        PacketSequence sequence = new PacketSequence(true);
        InetAddress host = peer.getAddress();
        boolean entered = gate.enter(host);
        if (entered) {
            channel.attr(STANDS).set(host);
            channel.closeFuture().addListener(closed -> leaveGate(channel));
            settings.tls().ifPresent(tls -> logins.execute(tls::refresh));
        }
        boolean full = !entered || connections.size() > settings.limits().connections();
        long threadId = Integer.toUnsignedLong(lastThreadId.incrementAndGet());
        channel.pipeline()
                .addLast(PACKETS, new PacketDecoder(settings.limits().loginBytes(), sequence))
                .addLast(TALK, new ServerLogin(this, sequence, threadId, host, full));
    }

    private void leaveGate(Channel channel) {
        InetAddress host = channel.attr(STANDS).getAndSet(null);
        if (host != null) {
            gate.leave(host);
        }
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

    /** Ends what the session with this thread id is doing; false where there is none. */
    boolean interrupt(long threadId) {
        Session session = sessions.get(threadId);
        if (session == null) {
            return false;
        }
        session.interrupted();
        return true;
    }

    /** Has something done that reads a file, by the thread that checks passwords; from any thread. */
    public void asLogin(Runnable look) {
        logins.execute(look);
    }

    /** Stops listening and closes all connections; waits until that is done. Not on an event loop. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        logins.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** Logins refused since the start. */
    public long refusedLogins() {
        return gate.refused();
    }

    LoginGate gate() {
        return gate;
    }

    /** Where passwords are checked. */
    EventExecutorGroup logins() {
        return logins;
    }

    /** The session with this thread id, if there is one. */
    Optional<Session> session(long threadId) {
        return Optional.ofNullable(sessions.get(threadId));
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

    /**
     * A client has logged in.
     *
     * @return false where its account has as many sessions as it may have already
     */
    boolean loggedIn(Channel channel, Session session) {
        synchronized (sessions) {
            if (isFull(session.account(), session)) {
                return false;
            }
            sessions.put(session.threadId(), session);
        }
        leaveGate(channel);
        return true;
    }

    /**
     * A session becomes another user's.
     *
     * @return false, with nothing changed, where that account has as many sessions as it may have already
     */
    boolean changes(Session session, ClientHello hello, Account account) {
        synchronized (sessions) {
            if (isFull(account, session)) {
                return false;
            }
            session.becomes(hello, account);
            return true;
        }
    }

    private boolean isFull(Account account, Session own) {
        int most = account.grant().connections();
        return most > 0
                && sessions.values().stream()
                                .filter(each -> each != own && each.user().equals(account.user()))
                                .count()
                        >= most;
    }

    void gone(Session session) {
        sessions.remove(session.threadId());
    }
}
