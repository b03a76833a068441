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
import io.tributary.mysql.protocol.MysqlError;
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
 * Listens for MySQL clients, logs them in and passes their commands to a {@link CommandHandler}. It uses the event loops of its owner,
 * a thread that checks passwords and reads files, and a thread that parses long statements, so that neither of them delays a dump.
 */
public final class MysqlServer implements AutoCloseable {
    static final String PACKETS = "packets";
    static final String COMMANDS = "commands";

    /** The limit of unsent bytes above which a session whose client does not read its answers gets no further answers. */
    private static final int ANSWER_BYTES = 1 << 16;

    private static final int IDLE_CHECK_SECONDS = 1;

    /** The host of a connection that is not logged in. */
    private static final AttributeKey<InetAddress> LOGIN_HOST = AttributeKey.valueOf(MysqlServer.class, "login-host");

    private final ServerSettings settings;
    private final CommandHandler handler;
    private final ServerSecrets secrets = new ServerSecrets();
    private final AtomicInteger lastThreadId = new AtomicInteger();
    private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
    private final LoginLimiter limiter;
    private final EventExecutorGroup logins = new DefaultEventExecutorGroup(1, new DefaultThreadFactory("login", true));
    private final EventExecutorGroup statements =
            new DefaultEventExecutorGroup(1, new DefaultThreadFactory("statement", true));
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final ServerListener listener;
    private final ByteBudget memory;
    private final ScheduledFuture<?> idleCheck;

    private MysqlServer(ServerListener listener, ServerSettings settings, CommandHandler handler) {
        this.settings = settings;
        this.handler = handler;
        this.limiter = new LoginLimiter(settings.limits().logins());
        this.listener = listener;
        this.memory = new ByteBudget(settings.limits().memory().all());
        this.idleCheck = listener.group()
                .next()
                .scheduleWithFixedDelay(
                        () -> sessions.values().forEach(Session::endIfIdle),
                        IDLE_CHECK_SECONDS,
                        IDLE_CHECK_SECONDS,
                        TimeUnit.SECONDS);
        listener.handTo(this::accept);
    }

    /**
     * Starts to listen.
     *
     * @param group event loops with NIO transport, which it does not own
     * @throws TributaryException {@code ADDRESS_UNUSABLE} if the address cannot be bound
     */
    public static MysqlServer start(EventLoopGroup group, ServerSettings settings, CommandHandler handler) {
        String never = "there is no server";
        return start(ServerListener.open(group, settings.address(), never), settings, handler);
    }

    /**
     * Starts with the connections of a listener.
     *
     * @param listener owned and closed by this server; its address is used, not the one of the settings
     */
    public static MysqlServer start(ServerListener listener, ServerSettings settings, CommandHandler handler) {
        return new MysqlServer(listener, settings, handler);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a listener of the close is called in any case
    private void accept(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            Outbound.close(channel); // already closed
            return;
        }
        int high = Math.min(ANSWER_BYTES, settings.limits().outboundBytes());
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        connections.add(channel);
        PacketSequence sequence = new PacketSequence(true);
        InetAddress host = peer.getAddress();
        boolean entered = limiter.enter(host);
        if (entered) {
            channel.attr(LOGIN_HOST).set(host);
            channel.closeFuture().addListener(closed -> leaveLimiter(channel));
            settings.tls().ifPresent(tls -> logins.execute(tls::refresh));
        }
        long threadId = Integer.toUnsignedLong(lastThreadId.incrementAndGet());
        channel.pipeline()
                .addLast(PACKETS, new PacketDecoder(settings.limits().logins().packetBytes(), sequence))
                .addLast(COMMANDS, new ServerLogin(this, sequence, threadId, host, !entered));
    }

    private void leaveLimiter(Channel channel) {
        InetAddress host = channel.attr(LOGIN_HOST).getAndSet(null);
        if (host != null) {
            limiter.leave(host);
        }
    }

    /** The listen address, with its real port. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** All logged-in sessions, by thread id. */
    public List<Session> sessions() {
        return sessions.values().stream()
                .sorted(Comparator.comparingLong(Session::threadId))
                .toList();
    }

    /** Closes the connection of the session with this thread id; false if there is none. */
    public boolean kill(long threadId) {
        Session session = sessions.get(threadId);
        if (session == null) {
            return false;
        }
        session.close();
        return true;
    }

    /** Interrupts the command of the session with this thread id; false if there is none. */
    boolean interrupt(long threadId) {
        Session session = sessions.get(threadId);
        if (session == null) {
            return false;
        }
        session.interrupted();
        return true;
    }

    /** Runs a task that reads a file on the thread that checks passwords; from any thread. */
    public void asLogin(Runnable task) {
        logins.execute(task);
    }

    /** Stops listening and closes all connections; waits until that is done. Not on an event loop. */
    @Override
    public void close() {
        listener.close();
        idleCheck.cancel(false);
        connections.close().awaitUninterruptibly();
        for (EventExecutorGroup threads : List.of(logins, statements)) {
            threads.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        }
    }

    /** Refused logins since the start. */
    public long refusedLogins() {
        return limiter.refused();
    }

    LoginLimiter limiter() {
        return limiter;
    }

    /** The executor of long statements. */
    EventExecutorGroup statements() {
        return statements;
    }

    /** The executor of password checks. */
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

    /** The memory limit of all sessions together. */
    ByteBudget memory() {
        return memory;
    }

    /** Bytes that sessions hold now for user variables, prepared statements, packets and results. */
    public long heldBytes() {
        return memory.taken();
    }

    /**
     * Registers a client that has logged in.
     *
     * @return the error if it cannot have a session
     */
    Optional<ErrPacket> loggedIn(Channel channel, Session session) {
        synchronized (sessions) {
            Optional<ErrPacket> refusal = tooMany(session.account(), session);
            if (refusal.isPresent()) {
                return refusal;
            }
            sessions.put(session.threadId(), session);
        }
        leaveLimiter(channel);
        return Optional.empty();
    }

    /**
     * Changes the user of a session.
     *
     * @return the error if it cannot; nothing is changed then
     */
    Optional<ErrPacket> changeUser(Session session, Login login) {
        synchronized (sessions) {
            Optional<ErrPacket> refusal = tooMany(login.account(), session);
            if (refusal.isEmpty()) {
                session.changeUser(login);
            }
            return refusal;
        }
    }

    /** The number of sessions whose connections are compressed. */
    long compressed() {
        return sessions.values().stream()
                .filter(each -> each.compression().isPresent())
                .count();
    }

    private Optional<ErrPacket> tooMany(Account account, Session own) {
        ServerSettings.Sessions limits = settings.limits().sessions();
        boolean isAdministrator = account.grant().hasOneOf(Set.of(Right.ADMIN));
        long others = 0;
        long ofUser = 0;
        long compressed = 0;
        for (Session each : sessions.values()) {
            others += each == own ? 0 : 1;
            compressed += each != own && each.compression().isPresent() ? 1 : 0;
            ofUser += each != own && each.user().equals(account.user()) ? 1 : 0;
        }
        if (others >= limits.most() + (isAdministrator ? limits.reserved() : 0)) {
            return Optional.of(MysqlError.ER_CON_COUNT_ERROR.packet("Too many connections"));
        }
        if (own.compression().isPresent() && compressed >= settings.compressed()) {
            return Optional.of(MysqlError.ER_CON_COUNT_ERROR.packet(
                    "Too many compressed connections: connect without compression, or again"));
        }
        int granted = account.grant().connections();
        int most = granted > 0 ? granted : isAdministrator ? 0 : limits.ofUser();
        return most == 0 || ofUser < most
                ? Optional.empty()
                : Optional.of(MysqlError.ER_USER_LIMIT_REACHED.packet("User '" + account.user()
                        + "' has exceeded the 'max_user_connections' resource (current value: " + most + ")"));
    }

    void gone(Session session) {
        sessions.remove(session.threadId());
    }
}
