package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Commands and answers of a connection after its login, one exchange at a time. The event loop owns its state. */
final class ClientChannel extends SimpleChannelInboundHandler<ByteBuf> {
    private final Channel channel;
    private final Endpoint endpoint;
    private final PacketSequence sequence;
    private final boolean deprecateEof;
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private Exchange current;
    private Throwable failure;

    ClientChannel(Channel channel, Endpoint endpoint, PacketSequence sequence, boolean deprecateEof) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.sequence = sequence;
        this.deprecateEof = deprecateEof;
    }

    /** Queues a command; from any thread. */
    CompletableFuture<QueryResult> submit(Exchange exchange) {
        if (channel.eventLoop().inEventLoop()) {
            enqueue(exchange);
        } else {
            try {
                channel.eventLoop().execute(() -> enqueue(exchange));
            } catch (RejectedExecutionException e) {
                exchange.command().release();
                exchange.answer().completeExceptionally(lost(e));
            }
        }
        return exchange.answer();
    }

    private void enqueue(Exchange exchange) {
        if (failure == null && !channel.isActive()) {
            failure = lost(null);
        }
        if (failure != null) {
            drop(exchange);
            return;
        }
        waiting.add(exchange);
        sendNext();
    }

    private void sendNext() {
        if (current != null || waiting.isEmpty()) {
            return;
        }
        current = waiting.remove();
        sequence.restart();
        send(current.command());
    }

    /** Lets the next packet that is sent begin a command; on the event loop. */
    void restartSequence() {
        sequence.restart();
    }

    /** Sends one payload, which is released, as the next packet. */
    void send(ByteBuf payload) {
        ByteBuf out = channel.alloc().buffer(payload.readableBytes() + 64);
        int at = Packets.begin(out);
        out.writeBytes(payload);
        payload.release();
        Packets.end(out, at, sequence);
        Outbound.send(channel, out);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
        if (current == null) {
            throw unasked(packet);
        }
        if (current.received(packet, deprecateEof, endpoint.toString())) {
            current = null;
            sendNext();
        }
    }

    /** The error of a server that closes the connection by itself: a shutdown, or no command for too long. */
    private TributaryException unasked(ByteBuf packet) {
        if (packet.isReadable() && packet.getUnsignedByte(packet.readerIndex()) == ErrPacket.HEADER) {
            return lost(new MysqlServerError(endpoint.toString(), ErrPacket.read(packet)));
        }
        return new TributaryException(ErrorCode.PROTOCOL_VIOLATED, "expected no packet of " + endpoint + ", found one");
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(lost(null));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable real = cause.getCause() instanceof TributaryException ours ? ours : cause;
        fail(real instanceof TributaryException ? real : lost(real));
        Outbound.close(ctx.channel());
    }

    private void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        if (current != null) {
            current.answer().completeExceptionally(failure);
            current = null;
        }
        while (!waiting.isEmpty()) {
            drop(waiting.remove());
        }
    }

    private void drop(Exchange exchange) {
        exchange.command().release();
        exchange.answer().completeExceptionally(failure);
    }

    private TributaryException lost(Throwable cause) {
        String why = cause == null ? "it was closed" : String.valueOf(cause.getMessage());
        return new TributaryException(
                ErrorCode.SHARD_UNREACHABLE, "lost the connection to " + endpoint + ": " + why, cause);
    }
}
