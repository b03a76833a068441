package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketSequence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the commands of a logged-in client, one after another; its state belongs to the event loop. */
final class ServerTalk extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTalk.class);
    private static final int MAX_WAITING = 16;

    private final MysqlServer server;
    private final CommandHandler handler;
    private final Session session;
    private final PacketSequence sequence;
    private final Deque<ByteBuf> waiting = new ArrayDeque<>();
    private final PreparedStatements prepared = new PreparedStatements();
    private EventSink sink;
    private UserChange change; // under way, else null
    private boolean dispatching;
    private boolean ended;

    ServerTalk(MysqlServer server, Session session, PacketSequence sequence) {
        this.server = server;
        this.handler = server.handler();
        this.session = session;
        this.sequence = sequence;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
        if (ended) {
            return;
        }
        if (sink != null) {
            sink.received(packet);
            return;
        }
        if (change != null) {
            converse(packet);
            return;
        }
        waiting.add(packet.retain());
        if (waiting.size() >= MAX_WAITING) {
            ctx.channel().config().setAutoRead(false);
        }
        dispatchAll(ctx);
    }

    private void dispatchAll(ChannelHandlerContext ctx) {
        if (dispatching) {
            return;
        }
        dispatching = true;
        while (!session.awaitsAnswer() && sink == null && !ended && !waiting.isEmpty()) {
            ByteBuf command = waiting.remove();
            try {
                begin(ctx, command);
            } finally {
                command.release();
            }
        }
        dispatching = false;
        if (waiting.size() < MAX_WAITING) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void begin(ChannelHandlerContext ctx, ByteBuf command) {
        session.begin("Query", () -> dispatchAll(ctx));
        sequence.answer(command.readableBytes());
        try {
            LengthEncoding.need(command, 1);
            dispatch(ctx, command.readUnsignedByte(), command);
        } catch (RuntimeException e) {
            if (isMalformed(e) && session.awaitsAnswer()) {
                ended = true;
                session.malformed(e.getMessage());
            } else {
                failed(e);
            }
        }
    }

    /** Whether a packet could not be read: who sent it cannot be talked to. */
    private static boolean isMalformed(RuntimeException e) {
        return e instanceof TributaryException refusal
                && (refusal.code() == ErrorCode.PROTOCOL_VIOLATED || refusal.code() == ErrorCode.GTID_SET_MALFORMED);
    }

    private void failed(RuntimeException e) {
        if (sink != null) {
            LOG.warn("{}: the dump could not begin", session, e);
            sink.fail(1105, "HY000", String.valueOf(e.getMessage()));
        } else if (session.awaitsAnswer()) {
            LOG.debug("{}: a command failed", session, e);
            session.err(1105, "HY000", String.valueOf(e.getMessage()));
        } else {
            LOG.warn("{}: a command failed behind its answer", session, e);
        }
    }

    private void dispatch(ChannelHandlerContext ctx, int code, ByteBuf in) {
        switch (code) {
            case Commands.QUERY -> handler.query(session, LengthEncoding.readRest(in));
            case Commands.PING -> handler.ping(session);
            case Commands.INIT_DB -> handler.initDatabase(session, LengthEncoding.readRest(in));
            case Commands.RESET_CONNECTION -> {
                session.variables().clear();
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
            case Commands.BINLOG_DUMP_GTID -> dump(ctx, Session.DUMP + " GTID", DumpRequest.readByGtid(in));
            case Commands.SET_OPTION -> session.eof();
            case Commands.QUIT -> session.close();
            case Commands.STATISTICS -> handler.statistics(session);
            case Commands.STMT_PREPARE -> prepare(LengthEncoding.readRest(in));
            case Commands.STMT_EXECUTE, Commands.STMT_RESET, Commands.STMT_CLOSE, Commands.STMT_SEND_LONG_DATA ->
                ofPrepared(code, in);
            case Commands.STMT_FETCH -> session.err(1235, "42000", "This server does not support cursors");
            default -> session.err(1047, "08S01", "Unknown command");
        }
    }

    private void changeUser(ChannelHandlerContext ctx, ClientHello wanted) {
        change = new UserChange(server, ctx, session, sequence, wanted, () -> {
            change = null;
            prepared.closeAll();
            handler.resetConnection(session);
        });
    }

    private void converse(ByteBuf packet) {
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
                    1461,
                    "42000",
                    "Can't create more than " + PreparedStatements.MOST + " statements of "
                            + PreparedStatements.MOST_BYTES + " bytes together a session");
            return;
        }
        session.prepared(id.getAsLong(), prepared.places(id.getAsLong()));
    }

    private void ofPrepared(int code, ByteBuf in) {
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
            session.err(1243, "HY000", "Unknown prepared statement handler (" + id + ") given to the server");
        } else if (code == Commands.STMT_RESET) {
            prepared.reset(id);
            session.ok();
        } else {
            session.answersBinary();
            handler.query(session, prepared.text(id, in));
        }
    }

    private void dump(ChannelHandlerContext ctx, String activity, DumpRequest request) {
        session.begin(activity, () -> {});
        sink = new EventSink(session, ctx.channel());
        handler.dump(session, request, sink);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (sink != null) {
            sink.roomChanged();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        if (change != null) {
            change.close();
        }
        server.gone(session);
        handler.disconnected(session);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable real = cause.getCause() instanceof TributaryException ours ? ours : cause;
        LOG.debug("{}: connection failed: {}", session, real.getMessage());
        Outbound.close(ctx.channel());
    }
}
