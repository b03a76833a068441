package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;

/**
 * A connection to a MySQL server after its login. Any thread may call it; statements are sent one after another, in the
 * order of the calls. Futures complete on the connection's event loop and must not be awaited there.
 */
public final class MysqlConnection implements AutoCloseable {
    /** enum_mysql_set_option in MySQL's include/mysql_com.h. */
    private static final int MULTI_STATEMENTS_ON = 0;

    private final Channel channel;
    private final ClientChannel commands;
    private final Endpoint endpoint;
    private final ServerGreeting greeting;
    private final boolean encrypted;

    MysqlConnection(
            Channel channel, ClientChannel commands, Endpoint endpoint, ServerGreeting greeting, boolean encrypted) {
        this.channel = channel;
        this.commands = commands;
        this.endpoint = endpoint;
        this.greeting = greeting;
        this.encrypted = encrypted;
    }

    /** The endpoint to which it connects. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** The version in the greeting, such as {@code 8.0.31}. */
    public String serverVersion() {
        return greeting.version();
    }

    /** Whether the server is MariaDB. */
    public boolean isMariadb() {
        return serverVersion().contains("MariaDB");
    }

    /** The server's id of this connection, the argument of {@code KILL}. */
    public long threadId() {
        return greeting.threadId();
    }

    /** Whether the connection is encrypted. */
    public boolean isEncrypted() {
        return encrypted;
    }

    /** Whether neither side has closed it, as far as known here; any thread. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /**
     * Sends a statement; its whole answer is held in memory. Fails with {@link MysqlServerError} if the server
     * rejects it, and with {@link ErrorCode#SHARD_UNREACHABLE} if the connection is lost or closed.
     */
    public CompletableFuture<QueryResult> query(String sql) {
        return commands.submit(Exchange.query(channel.alloc(), sql));
    }

    /** As {@link #query(String)}, for the bytes of a statement in the session's character set. The buffer is released. */
    public CompletableFuture<QueryResult> query(ByteBuf statement) {
        return query(statement, 1);
    }

    /**
     * Sends a text of several statements, separated by semicolons, after {@link #allowSeveralStatements}. The answer is that of the last one.
     * After an error the server does not run the rest, and the future fails with it. The buffer is released.
     *
     * @param statements the number of statements
     */
    public CompletableFuture<QueryResult> query(ByteBuf text, int statements) {
        ByteBuf command = channel.alloc()
                .compositeBuffer(2)
                .addComponent(true, channel.alloc().buffer(1).writeByte(Commands.QUERY))
                .addComponent(true, text);
        return commands.submit(Exchange.of(command, statements));
    }

    /**
     * As {@link #query(String)}, but an answer of more than {@code mostBytes} ends the connection and fails with {@link
     * ErrorCode#PROTOCOL_VIOLATED}.
     */
    public CompletableFuture<QueryResult> query(String sql, long mostBytes) {
        return commands.submit(Exchange.query(channel.alloc(), sql, mostBytes));
    }

    /**
     * Sends a statement whose rows are passed on while they arrive. The answer has no rows. It fails as that of {@link #query(String)},
     * possibly after some rows.
     */
    public CompletableFuture<QueryResult> stream(String sql, RowConsumer consumer) {
        return commands.submit(Exchange.stream(channel.alloc(), sql, consumer));
    }

    /** Stops or resumes reading from the server. After a stop, what has already been read may still be passed on: at most one buffer and one packet. */
    public void pause(boolean isPaused) {
        channel.config().setAutoRead(!isPaused);
    }

    /** From now on a longer packet ends the connection with {@link ErrorCode#PROTOCOL_VIOLATED}, before it is buffered. On the event loop. */
    public void limitPackets(int mostBytes) {
        channel.pipeline().get(PacketDecoder.class).limit(mostBytes);
    }

    /** From now on packets are received as soon as {@code admission} accepts their length, see {@link PacketDecoder#admit}. On the event loop. */
    public void admitPackets(LongPredicate admission) {
        channel.pipeline().get(PacketDecoder.class).admit(admission);
    }

    /** Asks again, later on the event loop, whether a packet that waits may be received; see {@link #admitPackets}. */
    public void retryPacket() {
        channel.eventLoop().execute(() -> {
            ChannelHandlerContext ctx = channel.pipeline().context(PacketDecoder.class);
            if (ctx != null && channel.isActive()) {
                try {
                    channel.pipeline().get(PacketDecoder.class).retry(ctx);
                } catch (Exception e) { // as for bytes that arrive
                    ctx.fireExceptionCaught(e);
                }
            }
        });
    }

    /**
     * Sends a statement and waits for its answer; not on an event loop. Without an answer within the deadline it closes the connection
     * and throws {@link ErrorCode#SHARD_UNREACHABLE}; other failures are those of {@link #query(String)}.
     */
    public QueryResult query(String sql, Duration deadline) {
        return await(query(sql), deadline);
    }

    /** Lets the session run several statements in one text, see {@link #query(ByteBuf, int)}. */
    public CompletableFuture<QueryResult> allowSeveralStatements() {
        return commands.submit(Exchange.of(
                channel.alloc().buffer(3).writeByte(Commands.SET_OPTION).writeShortLE(MULTI_STATEMENTS_ON)));
    }

    /**
     * Sends a statement whose rows are read one by one.
     *
     * @param queueBytes about so many bytes of rows wait here before the socket is not read any more
     */
    public RowQueue stream(String sql, int queueBytes) {
        RowQueue stream = new RowQueue(this, channel, queueBytes);
        stream.begin(commands.submit(Exchange.stream(channel.alloc(), sql, stream)));
        return stream;
    }

    /** Checks that the server answers. */
    public CompletableFuture<QueryResult> ping() {
        return commands.submit(Exchange.ping(channel.alloc()));
    }

    /**
     * Turns the connection into a replication stream: session variables, checksum negotiation, registration, dump. From then
     * on the connection belongs to the stream: no further statement is possible, and closing either closes both. If the server refuses the
     * dump itself (1236: purged position), the stream's {@link BinlogStream#end()} returns the error; if it refuses a command before it, the
     * future fails with {@link MysqlServerError}.
     */
    public CompletableFuture<BinlogStream> dump(BinlogDump dump) {
        return new DumpStart(this, channel, commands, dump).begin();
    }

    /** Waits for any of this connection's futures; see {@link #query(String, Duration)}. */
    public <T> T await(CompletableFuture<T> answer, Duration deadline) {
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        } catch (TimeoutException e) {
            close();
            throw new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE, "expected an answer of " + endpoint + " within " + deadline, e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for " + endpoint);
        }
    }

    private RuntimeException thrown(Throwable cause) {
        if (cause instanceof MysqlServerError error) {
            return error;
        }
        if (cause instanceof TributaryException failure) {
            return new TributaryException(failure.code(), failure.getMessage(), failure);
        }
        return new TributaryException(ErrorCode.INTERNAL, "command to " + endpoint + " failed", cause);
    }

    /** Closes at once; running statements fail. May be called repeatedly, by any thread. */
    @Override
    public void close() {
        Outbound.close(channel);
    }
}
