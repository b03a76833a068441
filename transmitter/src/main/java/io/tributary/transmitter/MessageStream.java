package io.tributary.transmitter;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.InboundQueue;
import io.tributary.rpc.Rpc;
import io.tributary.transmit.proto.TransmitGrpc;
import io.tributary.transmit.proto.TransmitWire;
import java.time.Duration;

/**
 * The receiving end of one stream. It opens the stream, gives credit, and holds the messages that have arrived. Their bytes are at most the
 * credit plus one message. Used by one thread.
 */
final class MessageStream implements AutoCloseable {
    private static final int FLOW_WINDOW = 4 << 20;
    private static final Duration SHUTDOWN = Duration.ofSeconds(5);

    private final TransmitConfig config;
    private final HostPort sender;
    private final String name;
    private final ErrorCode refused;
    private final ByteBufAllocator allocator;
    private final InboundQueue<ByteBuf> arrived = new InboundQueue<>(); // bounded by credit
    private volatile Status end;
    private volatile boolean isClosed;

    private Rpc rpc; // null until the stream is opened, as are the two fields below
    private ManagedChannel channel;
    private ClientCall<TransmitWire.Request, ByteBuf> call;
    private long polledBytes;
    private long reportedCut;

    /**
     * @param sender the address of the sender
     * @param name the name of the stream and of its sender, for messages
     * @param refused the error code if the sender refuses the stream
     */
    MessageStream(TransmitConfig config, HostPort sender, String name, ErrorCode refused, ByteBufAllocator allocator) {
        this.config = config;
        this.sender = sender;
        this.name = name;
        this.refused = refused;
        this.allocator = allocator;
    }

    boolean isOpen() {
        return call != null;
    }

    /**
     * Connects, requests the stream, and gives the first credit.
     *
     * @throws TributaryException STREAM_BROKEN if the files of {@code grpc.tls.*} cannot be used now
     */
    void open(TransmitWire.Open open) {
        open(open, config.limits().credit().bytes());
    }

    /** As {@link #open}, but without credit: {@link #giveFirstCredit} gives it. */
    void openWithState(TransmitWire.Open open) {
        open(open, 0);
    }

    private void open(TransmitWire.Open open, long credit) {
        rpc = Rpc.whileRunning(config.tls());
        channel = rpc.channel(sender, config.limits().keepAlive())
                .directExecutor() // a message's arrival costs one copy only
                .initialFlowControlWindow(FLOW_WINDOW)
                .maxInboundMessageSize((int) config.limits().message().bytes())
                .build();
        MethodDescriptor<TransmitWire.Request, ByteBuf> method = TransmitGrpc.getStreamMethod().toBuilder(
                        TransmitGrpc.getStreamMethod().getRequestMarshaller(), new ByteBufMarshaller(allocator))
                .build();
        call = channel.newCall(method, CallOptions.DEFAULT);
        call.start(new Listener(), new Metadata());
        call.request(2);
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setOpen(open)
                .setCredit(credit)
                .build());
    }

    /** Whether a message can be sent without being queued in memory. */
    boolean isReady() {
        return call.isReady();
    }

    /** Sends a part of the state from which the sender starts. */
    void state(byte[] part) {
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setState(UnsafeByteOperations.unsafeWrap(part))
                .build());
    }

    /** Gives the first credit after all state has been sent. */
    void giveFirstCredit() {
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setCredit(config.limits().credit().bytes())
                .build());
    }

    /** Called on Netty's event loop. */
    private final class Listener extends ClientCall.Listener<ByteBuf> {
        @Override
        public void onMessage(ByteBuf message) {
            arrived.add(message);
            if (isClosed) {
                releaseArrived();
            } else {
                call.request(1);
            }
        }

        @Override
        public void onReady() {
            arrived.ring();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end = status;
            arrived.ring();
        }
    }

    /**
     * The next message, which the caller then owns; null if there is none now.
     *
     * @param last number of the last chunk that was polled, for messages
     * @throws TributaryException STREAM_BROKEN if the stream has ended; STREAM_RENEWED if the sender requests to open it again; the code that
     *     the constructor received if the sender has refused it
     */
    ByteBuf poll(long last) {
        Status endSeen = end;
        ByteBuf message = arrived.poll();
        if (message != null) {
            polledBytes += message.readableBytes();
        } else if (endSeen != null) {
            throw ended(endSeen, last);
        }
        return message;
    }

    /** Gives credit for the bytes that were polled. It is enough to call this from time to time. */
    void giveCredit() {
        report(reportedCut);
    }

    /**
     * As {@link #giveCredit}, and reports how far everything is durable.
     *
     * @param durableCut number of the newest durable cut, 0 for none
     */
    void report(long durableCut) {
        if (polledBytes < Math.max(1, config.limits().credit().bytes() / 4) && durableCut <= reportedCut) {
            return;
        }
        TransmitWire.Request.Builder request = TransmitWire.Request.newBuilder().setCredit(polledBytes);
        polledBytes = 0;
        if (durableCut > reportedCut) {
            request.setDurableCut(durableCut);
            reportedCut = durableCut;
        }
        call.sendMessage(request.build());
    }

    /** The newest durable cut that was reported; 0 for none. */
    long reportedCut() {
        return reportedCut;
    }

    private TributaryException ended(Status status, long last) {
        if (status.isOk()) {
            return new TributaryException(
                    ErrorCode.STREAM_RENEWED, name + " ended after chunk " + last + " and must be opened again");
        }
        if (status.getCode() == Status.Code.FAILED_PRECONDITION) {
            return new TributaryException(refused, name + " was refused: " + status.getDescription());
        }
        return new TributaryException(
                ErrorCode.STREAM_BROKEN,
                "expected " + name + " to continue after chunk " + last + ", found its end: " + rpc.words(status),
                status.getCause());
    }

    private void releaseArrived() {
        arrived.drain(ByteBuf::release);
    }

    /** Ends the stream and releases what has arrived. */
    @Override
    public void close() {
        isClosed = true;
        if (call != null) {
            call.cancel("the receiver has closed the stream", null);
            Rpc.end(channel, SHUTDOWN);
        }
        releaseArrived();
    }
}
