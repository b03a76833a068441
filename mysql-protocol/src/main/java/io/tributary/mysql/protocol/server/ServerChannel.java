package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketRoom;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.RefusedPacket;
import io.tributary.mysql.protocol.SessionMemoryException;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.compress.DamagedPacket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes the commands of a logged-in client, one after another; the event loop owns its state. */
final class ServerChannel extends SimpleChannelInboundHandler<Object> implements PacketRoom {
    private static final Logger LOG = LoggerFactory.getLogger(ServerChannel.class);
    private static final int MAX_WAITING = 16;
    private static final int MAX_WAITING_BYTES = 1 << 16;

    /** Longer statements and requests are parsed by another thread. */
    private static final int SHORT = 1 << 12;

    private final MysqlServer server;
    private final CommandHandler handler;
    private final Session session;
    private final PacketSequence sequence;
    private final Deque<Command> waiting = new ArrayDeque<>();
    private final PreparedStatements prepared;
    private int waitingBytes;
    private EventSink sink;
    private UserChange change; // in progress, otherwise null
    private final ServerSettings.Memory limits;
    private int counted; // bytes of the current command
    private boolean dispatching;
    private boolean ended;

    /**
     * A received command.
     *
     * @param packet null if it was dropped
     * @param refusal null if it was not dropped
     */
    private record Command(ByteBuf packet, RefusedPacket refusal) {
        long length() {
            return packet == null ? refusal.bytes() : packet.readableBytes();
        }

        /** Bytes that are counted until it is answered. */
        int held() {
            return packet == null ? 0 : packet.readableBytes();
        }

        void release() {
            if (packet != null) {
                packet.release();
            }
        }
    }

    ServerChannel(MysqlServer server, Session session, PacketSequence sequence) {
        this.server = server;
        this.handler = server.handler();
        this.session = session;
        this.sequence = sequence;
        this.limits = server.settings().limits().memory();
        this.prepared = new PreparedStatements(session.memory(), limits.statement());
    }

    @Override
    public Optional<ErrPacket> accept(int command, long bytes, int more) {
        boolean isDump = (command == Commands.BINLOG_DUMP_GTID || command == Commands.BINLOG_DUMP)
                && session.account().grant().hasOneOf(Set.of(Right.REPLICATION));
        Optional<ErrPacket> refusal = refusal(isDump, bytes, more);
        if (refusal.isPresent()) {
            session.memory().release(bytes - more);
            if (command == Commands.STMT_SEND_LONG_DATA) { // it has no answer that could report the error
                throw new TributaryException(
                        ErrorCode.PROTOCOL_VIOLATED, refusal.get().message());
            }
        }
        return refusal;
    }

    private Optional<ErrPacket> refusal(boolean isDump, long bytes, int more) {
        if (bytes > (isDump ? limits.dump() : limits.statement())) {
            return Optional.of(
                    MysqlError.ER_NET_PACKET_TOO_LARGE.packet("Got a packet bigger than 'max_allowed_packet' bytes"));
        }
        try {
            session.memory().take(more, isDump ? limits.all() : limits.session());
            return Optional.empty();
        } catch (SessionMemoryException e) {
            return Optional.of(e.error());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Object message) {
        if (ended || sink != null || change != null) {
            if (message instanceof ByteBuf packet) {
                session.memory().release(change == null ? packet.readableBytes() : 0);
                received(packet);
            }
            return;
        }
        Command command = message instanceof ByteBuf packet
                ? new Command(packet.retain(), null)
                : new Command(null, (RefusedPacket) message);
        int held = command.held();
        waiting.add(command);
        waitingBytes += held;
        dispatchAll(ctx);
    }

    private void received(ByteBuf packet) {
        if (sink != null) {
            sink.received(packet);
        } else if (!ended) {
            converse(packet);
        }
    }

    private void dispatchAll(ChannelHandlerContext ctx) {
        if (dispatching) {
            return;
        }
        dispatching = true;
        while (isFree(ctx) && !waiting.isEmpty()) {
            session.memory().release(counted);
            Command command = waiting.remove();
            counted = command.held();
            waitingBytes -= counted;
            try {
                begin(ctx, command);
            } finally {
                command.release();
            }
        }
        if (isFree(ctx)) {
            session.memory().release(counted);
            counted = 0;
        }
        dispatching = false;
        boolean hasRoom = waiting.size() < MAX_WAITING && waitingBytes < MAX_WAITING_BYTES;
        ctx.channel().config().setAutoRead(sink != null || hasRoom);
    }

    /** Whether the next command may begin: the client reads the answers to its commands. */
    private boolean isFree(ChannelHandlerContext ctx) {
        return !session.awaitsAnswer()
                && sink == null
                && !ended
                && change == null
                && ctx.channel().isWritable();
    }

    private void begin(ChannelHandlerContext ctx, Command command) {
        session.begin("Query", command.length(), () -> dispatchAll(ctx));
        if (command.packet() == null) {
            session.err(command.refusal().error());
            return;
        }
        ByteBuf packet = command.packet();
        try {
            LengthEncoding.need(packet, 1);
            dispatch(ctx, packet.readUnsignedByte(), packet);
        } catch (RuntimeException e) {
            refused(e);
        }
    }

    private void refused(RuntimeException e) {
        if (isMalformed(e) && session.awaitsAnswer()) {
            ended = true;
            session.malformed(e.getMessage());
        } else {
            failed(e);
        }
    }

    /** Whether a packet could not be read: its client cannot be answered. */
    private static boolean isMalformed(RuntimeException e) {
        return e instanceof TributaryException refusal
                && (refusal.code() == ErrorCode.PROTOCOL_VIOLATED || refusal.code() == ErrorCode.GTID_SET_MALFORMED);
    }

    private void failed(RuntimeException e) {
        if (sink != null) {
            LOG.warn("binlog dump failed to start: session={}", session, e);
            sink.fail(MysqlError.ER_UNKNOWN_ERROR, String.valueOf(e.getMessage()));
        } else if (e instanceof SessionMemoryException full && session.awaitsAnswer()) {
            session.err(full.error());
        } else if (session.awaitsAnswer()) {
            LOG.debug("command failed: session={}", session, e);
            session.err(MysqlError.ER_UNKNOWN_ERROR, String.valueOf(e.getMessage()));
        } else {
            LOG.warn("command failed after its answer: session={}", session, e);
        }
    }

    private void dispatch(ChannelHandlerContext ctx, int code, ByteBuf in) {
        switch (code) {
            case Commands.QUERY -> query(ctx, LengthEncoding.readRest(in));
            case Commands.PING -> handler.ping(session);
            case Commands.INIT_DB -> handler.initDatabase(session, LengthEncoding.readRest(in));
            case Commands.RESET_CONNECTION -> {
                session.variables().clear();
                session.idle(Optional.empty());
                prepared.closeAll();
                handler.resetConnection(session);
            }
            case Commands.CHANGE_USER -> changeUser(ctx, ClientHello.readChange(in, session.capabilities()));
            case Commands.FIELD_LIST ->
                handler.fields(session, LengthEncoding.readZeroEnded(in), LengthEncoding.readRest(in));
            case Commands.PROCESS_KILL -> {
                LengthEncoding.need(in, 4);
                handler.kill(session, in.readUnsignedIntLE());
            }
            case Commands.REGISTER_SLAVE -> handler.registerReplica(session, ReplicaRegistration.read(in));
            case Commands.BINLOG_DUMP -> dump(ctx, Session.DUMP, DumpRequest.readByPosition(in));
            case Commands.BINLOG_DUMP_GTID -> dumpByGtid(ctx, in);
            case Commands.SET_OPTION -> setOption(in);
            case Commands.QUIT -> session.close();
            case Commands.STATISTICS -> handler.statistics(session);
            case Commands.STMT_PREPARE -> prepare(LengthEncoding.readRest(in));
            case Commands.STMT_EXECUTE, Commands.STMT_RESET, Commands.STMT_CLOSE, Commands.STMT_SEND_LONG_DATA ->
                ofPrepared(ctx, code, in);
            case Commands.STMT_FETCH ->
                session.err(MysqlError.ER_NOT_SUPPORTED_YET, "This server does not support cursors");
            default -> session.err(MysqlError.ER_UNKNOWN_COM_ERROR, "Unknown command");
        }
    }

    /** The one option of a session: whether a command may have several statements (0) or not (1). */
    private void setOption(ByteBuf in) {
        LengthEncoding.need(in, 2);
        int option = in.readUnsignedShortLE();
        if (option > 1) {
            session.err(MysqlError.ER_UNKNOWN_COM_ERROR, "Unknown command");
            return;
        }
        session.multi(option == 0);
        session.eof();
    }

    private void changeUser(ChannelHandlerContext ctx, ClientHello wanted) {
        PacketDecoder packets = ctx.pipeline().get(PacketDecoder.class);
        packets.conversation(server.settings().limits().logins().packetBytes(), sequence);
        change = new UserChange(server, ctx, session, wanted, () -> {
            change = null;
            packets.commands(this);
            prepared.closeAll();
            handler.resetConnection(session);
        });
    }

    private void converse(ByteBuf packet) {
        session.answers();
        try {
            change.received(packet);
        } catch (TributaryException e) {
            change.failed(e);
        }
    }

    private void prepare(String sql) {
        OptionalLong id = prepared.prepare(sql);
        if (id.isEmpty()) {
            session.err(
                    MysqlError.ER_MAX_PREPARED_STMT_COUNT_REACHED,
                    "Can't create more than max_prepared_stmt_count statements (current value: "
                            + PreparedStatements.MOST + " a session, of " + PreparedStatements.MOST_PLACEHOLDERS
                            + " placeholders each)");
            return;
        }
        session.prepared(id.getAsLong(), prepared.placeholders(id.getAsLong()));
    }

    private void ofPrepared(ChannelHandlerContext ctx, int code, ByteBuf in) {
        LengthEncoding.need(in, 4);
        long id = in.readUnsignedIntLE();
        if (code == Commands.STMT_CLOSE) {
            prepared.close(id);
            session.unanswered();
        } else if (code == Commands.STMT_SEND_LONG_DATA) {
            LengthEncoding.need(in, 2);
            prepared.longData(id, in.readUnsignedShortLE(), in);
            session.unanswered();
        } else if (!prepared.has(id)) {
            session.err(
                    MysqlError.ER_UNKNOWN_STMT_HANDLER,
                    "Unknown prepared statement handler (" + id + ") given to the server");
        } else if (code == Commands.STMT_RESET) {
            prepared.reset(id);
            session.ok();
        } else {
            session.answersBinary();
            query(ctx, prepared.text(id, in));
        }
    }

    /** Lets another thread parse a long statement, so that other clients of this event loop are not delayed. */
    private void query(ChannelHandlerContext ctx, String sql) {
        if (sql.length() <= SHORT) {
            handler.query(session, sql);
            return;
        }
        server.statements().execute(() -> {
            try {
                handler.query(session, sql);
            } catch (RuntimeException e) {
                ctx.executor().execute(() -> failed(e));
            }
        });
    }

    private void dumpByGtid(ChannelHandlerContext ctx, ByteBuf in) {
        String activity = Session.DUMP + " GTID";
        if (in.readableBytes() <= SHORT) {
            dump(ctx, activity, DumpRequest.readByGtid(in));
            return;
        }
        ByteBuf request = in.retain();
        server.statements().execute(() -> {
            try {
                DumpRequest read = DumpRequest.readByGtid(request);
                ctx.executor().execute(() -> dump(ctx, activity, read));
            } catch (RuntimeException e) {
                ctx.executor().execute(() -> refused(e));
            } finally {
                request.release();
            }
        });
    }

    private void dump(ChannelHandlerContext ctx, String activity, DumpRequest request) {
        session.beginDump(activity);
        sink = new EventSink(session, ctx.channel());
        int high = server.settings().limits().outboundBytes();
        ctx.channel().config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        handler.dump(session, request, sink);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (sink != null) {
            sink.roomChanged();
        } else if (session.isStreaming()) {
            session.roomChanged();
        } else {
            session.proceed();
            dispatchAll(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof DamagedPacket damaged)) {
            ctx.fireUserEventTriggered(event);
            return;
        }
        LOG.debug("connection failed: session={} error=\"{}\"", session, damaged.reason());
        boolean isFree = !session.awaitsAnswer() && sink == null && change == null && !ended;
        ended = true;
        if (isFree) {
            session.damaged(damaged.reason());
        } else {
            Outbound.close(ctx.channel());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waiting.forEach(Command::release);
        waiting.clear();
        if (change != null) {
            change.close();
        }
        server.gone(session);
        session.memory().close();
        session.endStream();
        handler.disconnected(session);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable real = cause.getCause() instanceof TributaryException ours ? ours : cause;
        LOG.debug("connection failed: session={} error=\"{}\"", session, real.getMessage());
        Outbound.close(ctx.channel());
    }
}
