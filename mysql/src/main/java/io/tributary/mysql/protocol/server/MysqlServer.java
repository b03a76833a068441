package io.tributary.mysql.protocol.server;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.ByteBudget;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.Right;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens for MySQL clients, logs them in and hands their commands to a {@link CommandHandler}. It lives on the event loops that
 * it is given; one thread of its own checks passwords and looks at files, another reads long statements, so that neither disturbs a dump.
 */
public final class MysqlServer implements AutoCloseable {
    static final String PACKETS = "packets";
    static final String TALK = "talk";

    /** A session whose client takes none of its answers gets no further ones while so many bytes wait for it. */
    private static final int ANSWER_BYTES = 1 << 16;

    private static final int IDLE_LOOK_SECONDS = 1;

    /** The host of a connection that is not logged in. */
    private static final AttributeKey<InetAddress> STANDS = AttributeKey.valueOf(MysqlServer.class, "stands");

    private final ServerSettings settings;
    private final CommandHandler handler;
    private final ServerSecrets secrets = new ServerSecrets();
    private final AtomicInteger lastThreadId = new AtomicInteger();
    private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
    private final LoginGate gate;
    private final EventExecutorGroup logins = new DefaultEventExecutorGroup(1, new DefaultThreadFactory("login", true));
    private final EventExecutorGroup statements =
            new DefaultEventExecutorGroup(1, new DefaultThreadFactory("statement", true));
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Doorstep door;
    private final ByteBudget memory;
    private final ScheduledFuture<?> idleLook;

    private MysqlServer(Doorstep door, ServerSettings settings, CommandHandler handler) {
        this.settings = settings;
        this.handler = handler;
        this.gate = new LoginGate(settings.limits().logins(), settings.limits().refusalDelay());
        this.door = door;
        this.memory = new ByteBudget(settings.limits().memory().all());
        this.idleLook = door.group()
                .next()
                .scheduleWithFixedDelay(
                        () -> sessions.values().forEach(Session::endIfIdle),
                        IDLE_LOOK_SECONDS,
                        IDLE_LOOK_SECONDS,
                        TimeUnit.SECONDS);
        door.handTo(this::accept);
    }

    /**
     * Starts to listen.
     *
     * @param group event loops with NIO transport, which it does not own
     * @throws TributaryException {@code ADDRESS_UNUSABLE} where the address cannot be bound
     */
    public static MysqlServer start(EventLoopGroup group, ServerSettings settings, CommandHandler handler) {
        String never = "there is no server";
        return start(Doorstep.open(group, settings.address(), never), settings, handler);
    }

    /**
     * Takes over who comes to an address.
     *
     * @param door given away, closed with this; its address counts, not that of the settings
     */
    public static MysqlServer start(Doorstep door, ServerSettings settings, CommandHandler handler) {
        return new MysqlServer(door, settings, handler);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a listener of the close is called in any case
    private void accept(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            Outbound.close(channel); // gone already
            return;
        }
        int high = Math.min(ANSWER_BYTES, settings.limits().outboundBytes());
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        connections.add(channel);
        PacketSequence sequence = new PacketSequence(true);
        InetAddress host = peer.getAddress();
        boolean entered = gate.enter(host);
        if (entered) {
            channel.attr(STANDS).set(host);
            channel.closeFuture().addListener(closed -> leaveGate(channel));
            settings.tls().ifPresent(tls -> logins.execute(tls::refresh));
        }
        long threadId = Integer.toUnsignedLong(lastThreadId.incrementAndGet());
        channel.pipeline()
                .addLast(PACKETS, new PacketDecoder(settings.limits().loginBytes(), sequence))
                .addLast(TALK, new ServerLogin(this, sequence, threadId, host, !entered));
    }

    private void leaveGate(Channel channel) {
        InetAddress host = channel.attr(STANDS).getAndSet(null);
        if (host != null) {
            gate.leave(host);
        }
    }

    /** The address that is listened on, with its real port. */
    public InetSocketAddress address() {
        return door.address();
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
        door.close();
        idleLook.cancel(false);
        connections.close().awaitUninterruptibly();
        for (EventExecutorGroup threads : List.of(logins, statements)) {
            threads.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        }
    }

    /** Logins refused since the start. */
    public long refusedLogins() {
        return gate.refused();
    }

    LoginGate gate() {
        return gate;
    }

    /** Where long statements are read and answered. */
    EventExecutorGroup statements() {
        return statements;
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

    /** Memory for what sessions hold, all of them together. */
    ByteBudget memory() {
        return memory;
    }

    /** Bytes that sessions hold now for what their clients have set, prepared, sent and asked for. */
    public long heldBytes() {
        return memory.taken();
    }

    /**
     * A client has logged in.
     *
     * @return why it cannot have a session
     */
    Optional<ErrPacket> loggedIn(Channel channel, Session session) {
        synchronized (sessions) {
            Optional<ErrPacket> refusal = tooMany(session.account(), session);
            if (refusal.isPresent()) {
                return refusal;
            }
            sessions.put(session.threadId(), session);
        }
        leaveGate(channel);
        return Optional.empty();
    }

    /**
     * A session becomes another user's.
     *
     * @return why it cannot; nothing is changed then
     */
    Optional<ErrPacket> changes(Session session, ClientHello hello, Account account) {
        synchronized (sessions) {
            Optional<ErrPacket> refusal = tooMany(account, session);
            if (refusal.isEmpty()) {
                session.becomes(hello, account);
            }
            return refusal;
        }
    }

    private Optional<ErrPacket> tooMany(Account account, Session own) {
        ServerSettings.Sessions limits = settings.limits().sessions();
        boolean isAdministrator = account.grant().hasOneOf(Set.of(Right.ADMIN));
        long others = 0;
        long ofUser = 0;
        for (Session each : sessions.values()) {
            others += each == own ? 0 : 1;
            ofUser += each != own && each.user().equals(account.user()) ? 1 : 0;
        }
        if (others >= limits.most() + (isAdministrator ? limits.reserved() : 0)) {
            return Optional.of(new ErrPacket(1040, "08004", "Too many connections"));
        }
        int granted = account.grant().connections();
        int most = granted > 0 ? granted : isAdministrator ? 0 : limits.ofUser();
        return most == 0 || ofUser < most
                ? Optional.empty()
                : Optional.of(new ErrPacket(
                        1226,
                        "42000",
                        "User '" + account.user()
                                + "' has exceeded the 'max_user_connections' resource (current value: " + most + ")"));
    }

    void gone(Session session) {
        sessions.remove(session.threadId());
    }
}
