package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.tributary.common.pipeline.ByteBudget;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.SessionMemoryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.compress.CompressedPackets;
import io.tributary.mysql.protocol.compress.Compression;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;

/**
 * A logged-in client of a {@link MysqlServer}: its user, its settings, and the answers to its commands. Answers may be sent
 * from any thread; exactly one per command. An answer to a disconnected client is dropped.
 */
public final class Session {
    /** The prefix of the activities of dumps. */
    static final String DUMP = "Binlog Dump";

    private static final String ASLEEP = "Sleep";
    private static final int LARGE_ANSWER = 1 << 16;

    private final MysqlServer server;
    private final Channel channel;
    private final AnswerPackets packets;
    private volatile Login login;
    private final long threadId;
    private final SessionMemory memory;
    private final UserVariables variables;
    private volatile String database;
    private volatile String activity = ASLEEP;
    private volatile long activeNanos = Clock.SYSTEM.nanoTime();
    private volatile Runnable answered = () -> {};
    private volatile Runnable interruption = () -> {};
    private volatile Optional<Duration> idle = Optional.empty();
    private volatile Runnable following; // the next statement of the current command, otherwise null
    private volatile boolean isInterrupted;
    private boolean followingWaits; // until the client has read enough of the answers before it
    private volatile boolean multi;
    private int firstId; // of the answer that was encoded last
    private boolean awaitsAnswer;
    private boolean answersBinary;
    private CompressedPackets compressed; // null if the connection is not compressed
    private RowStream stream; // the answer that is being sent row by row, otherwise null

    Session(MysqlServer server, Channel channel, PacketSequence sequence, Login login, long threadId) {
        this.server = server;
        this.channel = channel;
        this.packets = new AnswerPackets(sequence);
        this.login = login;
        this.threadId = threadId;
        this.database = login.hello().database();
        this.multi = Capabilities.has(login.hello().capabilities(), Capabilities.MULTI_STATEMENTS);
        this.memory = new SessionMemory(
                server.memory(), server.settings().limits().memory().session());
        this.variables = new UserVariables(memory);
    }

    /** The memory for user variables, prepared statements and packets. */
    SessionMemory memory() {
        return memory;
    }

    /** Unique among all sessions since the server was started; the number in the greeting and the argument of {@code KILL}. */
    public long threadId() {
        return threadId;
    }

    /** The user name of its last login. */
    public String user() {
        return login.account().user();
    }

    /** The account of its last login, with the rights and limits of that time. */
    public Account account() {
        return login.account();
    }

    /** The session with this thread id, if there is one. */
    public Optional<Session> other(long otherThreadId) {
        return server.session(otherThreadId);
    }

    /** The client's address and port, such as {@code 127.0.0.1:40312}. */
    public String peer() {
        SocketAddress address = channel.remoteAddress();
        return address instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : "unknown";
    }

    /** The client's address, such as {@code 127.0.0.1}. */
    public String host() {
        SocketAddress address = channel.remoteAddress();
        return address instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : "unknown";
    }

    /** The TLS session of the connection; empty without TLS. */
    public Optional<SSLSession> tls() {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        return handler == null ? Optional.empty() : Optional.of(handler.engine().getSession());
    }

    /** The algorithm that compresses the connection; empty if it is not compressed. */
    public Optional<Compression> compression() {
        return Compression.of(capabilities());
    }

    /** The connection is compressed from now on; on the event loop. */
    void compressed(CompressedPackets by) {
        compressed = by;
    }

    /** The next packet answers what was received last; on the event loop. */
    void answers() {
        if (compressed != null) {
            compressed.answer();
        }
    }

    /** Bits of {@link io.tributary.mysql.protocol.Capabilities} of both sides. */
    public int capabilities() {
        return login.hello().capabilities();
    }

    /** The client's connection attributes, such as {@code program_name}; may be empty. */
    public Map<String, String> connectAttributes() {
        return login.hello().attributes();
    }

    /** The schema that the client has chosen; empty if none. */
    public String database() {
        return database;
    }

    /** Sets the schema that the client has chosen. */
    public void database(String name) {
        database = name;
    }

    /**
     * User variables: names in lower case without the {@code @}, values as text; changed by the handler, by any thread, one at a time. Too
     * many of them fail with {@link SessionMemoryException}.
     */
    public Map<String, String> variables() {
        return variables;
    }

    /** The command in a process list: {@code Sleep}, {@code Query}, {@code Binlog Dump}, ... */
    public String activity() {
        return activity;
    }

    /** The age of the activity, in seconds. */
    public long activeSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(Clock.SYSTEM.nanoTime() - activeNanos);
    }

    /** Sets the time without a command after which the client is disconnected; empty: the time of the server. */
    public void idle(Optional<Duration> longest) {
        idle = longest;
    }

    /** Ends it with MySQL's error if it has sent no command for too long; any thread. */
    void endIfIdle() {
        Duration longest = idle.orElse(server.settings().limits().sessions().idle());
        if (!isAsleep() || activeSeconds() < longest.toSeconds()) {
            return;
        }
        channel.eventLoop().execute(() -> {
            if (isAsleep() && activeSeconds() >= longest.toSeconds()) {
                packets.unasked();
                end(MysqlError.ER_CLIENT_INTERACTION_TIMEOUT.packet(
                        "The client was disconnected by the server because of inactivity. See wait_timeout and"
                                + " interactive_timeout for configuring this behavior."));
            }
        });
    }

    private boolean isAsleep() {
        return activity.equals(ASLEEP);
    }

    /** Whether it reads the binlog now. */
    public boolean isDumping() {
        return activity.startsWith(DUMP);
    }

    /** Whether the client is still connected, as far as known; any thread. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** Sets what {@code KILL QUERY} does to the current command; dropped with the answer to the command. */
    public void onInterrupt(Runnable action) {
        interruption = action;
    }

    /** Whether a command may have several statements, separated by semicolons. */
    public boolean isMulti() {
        return multi;
    }

    void multi(boolean isAllowed) {
        multi = isAllowed;
    }

    /**
     * The current command has another statement: when the next answer is sent, and the client reads its answers, {@code next} runs on the event
     * loop; it answers too. After an error it does not run. To be called before each answer that is not the last one.
     */
    public void followedBy(Runnable next) {
        following = next;
        packets.followed(true);
    }

    /** The next answer is the last one of the command. */
    private void notFollowed() {
        following = null;
        packets.followed(false);
    }

    /** Answers OK. */
    public void ok() {
        ok(0, 0);
    }

    /** Answers OK with counts. */
    public void ok(long affectedRows, int warnings) {
        answer(out -> packets.ok(out, affectedRows, warnings));
    }

    /** Answers with an EOF packet, as for COM_SET_OPTION. */
    void eof() {
        answer(packets::eof);
    }

    /** Answers with an error. */
    public void err(MysqlError error, String message) {
        err(error.packet(message));
    }

    /** Answers with an error. */
    public void err(ErrPacket error) {
        notFollowed();
        answer(out -> packets.err(out, error));
    }

    /** Answers with a result set, which may have no rows. */
    public void resultSet(ResultSet result) {
        answer(out -> packets.resultSet(out, result, answersBinary));
    }

    /** The event loop of the connection: answers that are sent row by row must be written there. */
    public EventLoop loop() {
        return channel.eventLoop();
    }

    /**
     * Begins an answer that is sent row by row: a text result set. On the event loop.
     *
     * @throws IllegalStateException if the current command needs an answer in binary form
     */
    public RowStream stream(List<ResultSet.Column> columns) {
        requireCommand();
        if (answersBinary) {
            throw new IllegalStateException(
                    "expected a statement in text form, found one that was prepared on the server");
        }
        stream = new RowStream(this, channel, packets, columns);
        return stream;
    }

    /** Whether the current command needs an answer in binary form; on the event loop. */
    public boolean isBinary() {
        return answersBinary;
    }

    boolean isStreaming() {
        return stream != null;
    }

    void roomChanged() {
        stream.roomChanged();
    }

    /** The streamed answer is complete. */
    void streamed() {
        stream = null;
        sent();
    }

    /** The streamed answer ends with an error. */
    void streamFails() {
        notFollowed();
    }

    /** An answer is sent: the next statement of the command follows, or the command is done. */
    private void sent() {
        if (following == null) {
            unanswered();
            answered.run();
        } else {
            interruption = () -> {};
            followingWaits = true;
            channel.eventLoop().execute(this::proceed);
        }
    }

    /** Begins the next statement of the command if one waits and the client reads its answers; on the event loop. */
    void proceed() {
        if (!followingWaits || !channel.isWritable() || !channel.isActive()) {
            return;
        }
        followingWaits = false;
        Runnable next = following;
        notFollowed();
        if (isInterrupted) {
            err(MysqlError.ER_QUERY_INTERRUPTED, "Query execution was interrupted");
        } else {
            next.run();
        }
    }

    /** The connection has ended. */
    void endStream() {
        if (stream != null) {
            stream.drop();
            stream = null;
        }
    }

    /** The memory of all sessions together: what is taken from it must be released. Any thread. */
    public ByteBudget allMemory() {
        return server.memory();
    }

    /** Answers with a bare text, as for COM_STATISTICS. */
    public void text(String text) {
        answer(out -> packets.text(out, text));
    }

    /** Answers COM_STMT_PREPARE; the columns are sent with the result. */
    void prepared(long id, int placeholders) {
        answer(out -> packets.prepared(out, id, placeholders));
    }

    /** Makes the result set of the current command binary; on the event loop. */
    void answersBinary() {
        answersBinary = true;
    }

    /** Ends the session with this id, if there is one; may be this session. */
    public boolean kill(long otherThreadId) {
        return server.kill(otherThreadId);
    }

    /**
     * Interrupts the command of the session with this id, but does not end the session, unless it reads the binlog: the end of a dump is the
     * end of its connection.
     *
     * @return false if there is none
     */
    public boolean interrupt(long otherThreadId) {
        return server.interrupt(otherThreadId);
    }

    void interrupted() {
        if (isDumping()) {
            close();
        } else {
            isInterrupted = true;
            interruption.run();
        }
    }

    /** Closes the connection without an error; from any thread, also repeatedly. A replica then retries. */
    public void close() {
        Outbound.close(channel);
    }

    @Override
    public String toString() {
        return user() + "@" + peer() + "#" + threadId;
    }

    /**
     * Begins a command; on the event loop.
     *
     * @param bytes of its payload
     * @param then runs there after the answer
     */
    void begin(String command, long bytes, Runnable then) {
        packets.answer(bytes);
        answers();
        notFollowed();
        isInterrupted = false;
        awaitsAnswer = true;
        answersBinary = false;
        activity = command;
        activeNanos = Clock.SYSTEM.nanoTime();
        answered = then;
    }

    /** The current command is a dump, which ends with the connection. */
    void beginDump(String command) {
        activity = command;
        answered = () -> {};
    }

    /** Whether the current command has no answer yet; on the event loop. */
    boolean awaitsAnswer() {
        return awaitsAnswer;
    }

    /** The current command has no answer. */
    void unanswered() {
        awaitsAnswer = false;
        activity = ASLEEP;
        activeNanos = Clock.SYSTEM.nanoTime();
        interruption = () -> {};
    }

    /** Changes the user of the session and drops the state of the previous user. On the event loop. */
    void changeUser(Login newLogin) {
        login = newLogin;
        database = newLogin.hello().database();
        variables.clear();
        idle = Optional.empty();
    }

    /** Sends a packet within the current command, which continues; on the event loop. */
    void sendReply(byte[] payload) {
        ByteBuf out = channel.alloc().buffer();
        packets.bytes(out, payload);
        Outbound.send(channel, out);
    }

    /** Answers the current command with columns only, as for COM_FIELD_LIST. */
    public void fields(ResultSet columns) {
        answer(out -> packets.fields(out, columns));
    }

    /** Reports that the current command could not be read and ends the connection. On the event loop. */
    void malformed(String reason) {
        end(MysqlError.ER_MALFORMED_PACKET.packet("Malformed communication packet: " + reason));
    }

    /** Reports that a compressed packet could not be read and ends the connection. On the event loop. */
    void damaged(String reason) {
        packets.answer(0);
        answers();
        end(MysqlError.ER_NET_UNCOMPRESS_ERROR.packet("Couldn't uncompress communication packet: " + reason));
    }

    /** Answers the current command with an error and ends the connection. On the event loop. */
    void end(ErrPacket error) {
        ByteBuf out = channel.alloc().buffer();
        packets.err(out, error);
        unanswered();
        Outbound.sendLast(channel, out);
    }

    void endDump(int id, ErrPacket error) {
        channel.eventLoop().execute(() -> {
            ByteBuf out = channel.alloc().buffer();
            AnswerPackets.endOfDump(out, id, error);
            Outbound.sendLast(channel, out);
        });
    }

    /** Encodes an answer on the calling thread, if it is not the event loop: this may take time. */
    private void answer(Consumer<ByteBuf> writer) {
        if (channel.eventLoop().inEventLoop()) {
            if (channel.isActive()) {
                requireCommand();
                send(written(writer));
            }
            return;
        }
        ByteBuf out = written(writer);
        channel.eventLoop().execute(() -> {
            if (channel.isActive()) {
                requireCommand();
                send(out);
            } else {
                out.release();
            }
        });
    }

    private ByteBuf written(Consumer<ByteBuf> writer) {
        ByteBuf out = channel.alloc().buffer();
        firstId = packets.nextId();
        try {
            writer.accept(out);
            return out;
        } catch (RuntimeException e) {
            out.release();
            packets.nextId(firstId);
            throw e;
        }
    }

    private void requireCommand() {
        if (!awaitsAnswer) {
            throw new IllegalStateException("no command of " + this + " awaits an answer");
        }
    }

    /** Sends the answer; a large one is counted as long as it waits to be sent. */
    private void send(ByteBuf out) {
        int bytes = out.readableBytes();
        if (bytes <= LARGE_ANSWER) {
            Outbound.send(channel, out);
        } else if (server.memory().take(bytes)) {
            channel.writeAndFlush(out).addListener(sent -> server.memory().release(bytes));
        } else {
            out.release();
            packets.nextId(firstId);
            notFollowed();
            ErrPacket error =
                    SessionMemoryException.ofAll(server.memory().most()).error();
            Outbound.send(channel, written(instead -> packets.err(instead, error)));
        }
        sent();
    }
}
