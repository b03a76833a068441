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
import io.tributary.common.pipeline.Arrivals;
import io.tributary.common.rpc.Rpc;
import io.tributary.transmitter.proto.TransmitGrpc;
import io.tributary.transmitter.proto.TransmitWire;
import java.time.Duration;

/**
 * The receiving end of one stream: opens it, gives credit, and holds the messages that have come. These are bounded by the credit,
 * and by one message. One thread uses it.
 */
final class MessageStream implements AutoCloseable {
    private static final int FLOW_WINDOW = 4 << 20;
    private static final Duration SHUTDOWN = Duration.ofSeconds(5);

    private final TransmitConfig config;
    private final HostPort sender;
    private final String name;
    private final ErrorCode refused;
    private final ByteBufAllocator allocator;
    private final Arrivals<ByteBuf> arrived = new Arrivals<>(); // bounded by credit
    private volatile Status end;
    private volatile boolean isClosed;

    private Rpc rpc; // null before it is opened, as the two below
    private ManagedChannel channel;
    private ClientCall<TransmitWire.Request, ByteBuf> call;
    private long taken;
    private long told;

    /**
     * @param sender who is asked
     * @param name of the stream, with whom it comes from, for messages
     * @param refused what it fails with where the sender refuses it
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
     * Connects and asks, and gives the first credit.
     *
     * @throws TributaryException STREAM_BROKEN where the files of {@code grpc.tls.*} cannot be used now
     */
    void open(TransmitWire.Open open) {
        open(open, config.credit().bytes());
    }

    /** The same without credit, which {@link #giveFirstCredit} gives. */
    void openWithState(TransmitWire.Open open) {
        open(open, 0);
    }

    private void open(TransmitWire.Open open, long credit) {
        rpc = Rpc.whileRunning(config.tls());
        channel = rpc.channel(sender, config.keepAlive())
                .directExecutor() // a message's arrival costs one copy only
                .initialFlowControlWindow(FLOW_WINDOW)
                .maxInboundMessageSize((int) config.message().bytes())
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

    /** Whether more may be said without piling up in memory. */
    boolean isReady() {
        return call.isReady();
    }

    /** Sends a part of the state with which the sender begins. */
    void state(byte[] part) {
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setState(UnsafeByteOperations.unsafeWrap(part))
                .build());
    }

    /** All state has been sent. */
    void giveFirstCredit() {
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setCredit(config.credit().bytes())
                .build());
    }

    /** On Netty's event loop. */
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
     * The next message, which goes over to the caller; null when there is none now.
     *
     * @param last number of the last chunk that was taken, for messages
     * @throws TributaryException STREAM_BROKEN when the stream has ended; STREAM_RENEWED when the sender wants it opened anew;
     *     what it was made with when it was refused
     */
    ByteBuf poll(long last) {
        Status endSeen = end;
        ByteBuf message = arrived.poll();
        if (message != null) {
            taken += message.readableBytes();
        } else if (endSeen != null) {
            throw ended(endSeen, last);
        }
        return message;
    }

    /** Lets more come for what was taken; now and then is enough. */
    void giveCredit() {
        tell(told);
    }

    /**
     * As above, and tells how far all is durable.
     *
     * @param durableCut number of the newest cut that is, 0 for none
     */
    void tell(long durableCut) {
        if (taken < Math.max(1, config.credit().bytes() / 4) && durableCut <= told) {
            return;
        }
        TransmitWire.Request.Builder request = TransmitWire.Request.newBuilder().setCredit(taken);
        taken = 0;
        if (durableCut > told) {
            request.setDurableCut(durableCut);
            told = durableCut;
        }
        call.sendMessage(request.build());
    }

    /** The newest durable cut that was told; 0 for none. */
    long told() {
        return told;
    }

    private TributaryException ended(Status status, long last) {
        if (status.isOk()) {
            return new TributaryException(
                    ErrorCode.STREAM_RENEWED, name + " has ended after chunk " + last + ", to be opened anew");
        }
        if (status.getCode() == Status.Code.FAILED_PRECONDITION) {
            return new TributaryException(refused, name + " was refused: " + status.getDescription());
        }
        return new TributaryException(
                ErrorCode.STREAM_BROKEN,
                "expected " + name + " to go on after chunk " + last + ", it ended: " + rpc.words(status),
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
            call.cancel("the receiver has ended the stream", null);
            Rpc.end(channel, SHUTDOWN);
        }
        releaseArrived();
    }
}
