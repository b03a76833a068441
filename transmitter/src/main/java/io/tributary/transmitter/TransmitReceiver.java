package io.tributary.transmitter;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.transmitter.proto.TransmitGrpc;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The Dumper's side: opens a stream behind a cut, takes its messages as they come, and puts their chunks on its outlet. What has
 * arrived and not been put is bounded by the credit that it gives, and by one message. A stream that ends fails the stage; the
 * role builds a new one behind the cut that is durable then.
 */
public final class TransmitReceiver implements Stage {
    private static final int AT_ONCE = 64;
    private static final int FLOW_WINDOW = 4 << 20;
    private static final long SHUTDOWN_SECONDS = 5;

    private final TransmitConfig config;
    private final StreamIdentity identity;
    private final long term;
    private final Optional<Cut> resume;
    private final Outlet<Chunk> outlet;
    private final ByteBufAllocator allocator;
    private final ChunkReader reader = new ChunkReader();
    private final ChunkSequence sequence = new ChunkSequence();
    private final Queue<ByteBuf> arrived = new ConcurrentLinkedQueue<>(); // bounded by credit
    private volatile Status end;
    private volatile boolean isClosed;

    private ManagedChannel channel;
    private ClientCall<TransmitWire.Request, ByteBuf> call;
    private long taken;

    /**
     * @param term grows with each new leader among the Dumpers; 0 where there is one Dumper only
     * @param resume the last durable cut; empty = from the shards' start
     * @param outlet receives the chunks, numbered from 1; whoever reads it releases them
     */
    public TransmitReceiver(
            TransmitConfig config, StreamIdentity identity, long term, Optional<Cut> resume, Outlet<Chunk> outlet) {
        this(config, identity, term, resume, outlet, PooledByteBufAllocator.DEFAULT);
    }

    TransmitReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            long term,
            Optional<Cut> resume,
            Outlet<Chunk> outlet,
            ByteBufAllocator allocator) {
        this.config = config;
        this.identity = identity;
        this.term = term;
        this.resume = resume;
        this.outlet = outlet;
        this.allocator = allocator;
    }

    @Override
    public String name() {
        return "receive";
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN when the stream ends; STREAM_CONTRADICTION when the Task refuses it, or what comes cannot be
     */
    @Override
    public int doWork() {
        if (call == null) {
            connect();
        }
        int put = 0;
        while (put < AT_ONCE && outlet.hasRoom()) {
            Status endSeen = end;
            ByteBuf message = arrived.poll();
            if (message == null) {
                if (endSeen != null) {
                    throw ended(endSeen);
                }
                break;
            }
            taken += message.readableBytes();
            put(reader.read(message));
            put++;
        }
        giveCredit();
        return put;
    }

    private void connect() {
        channel = NettyChannelBuilder.forAddress(config.task().resolve())
                .usePlaintext()
                .directExecutor() // a message's arrival costs one copy only
                .initialFlowControlWindow(FLOW_WINDOW)
                .maxInboundMessageSize((int) config.message().bytes())
                .keepAliveTime(config.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(config.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .build();
        MethodDescriptor<TransmitWire.Request, ByteBuf> method = TransmitGrpc.getStreamMethod().toBuilder(
                        TransmitGrpc.getStreamMethod().getRequestMarshaller(), new ByteBufMarshaller(allocator))
                .build();
        call = channel.newCall(method, CallOptions.DEFAULT);
        call.start(new Listener(), new Metadata());
        call.request(2);
        TransmitWire.Open.Builder open = TransmitWire.Open.newBuilder()
                .setVersion(StreamIdentity.VERSION)
                .setCluster(identity.cluster())
                .setStream(identity.stream())
                .setTerm(term);
        resume.ifPresent(cut -> open.setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(cut))));
        call.sendMessage(TransmitWire.Request.newBuilder()
                .setOpen(open)
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
        public void onClose(Status status, Metadata trailers) {
            end = status;
        }
    }

    private void put(Chunk chunk) {
        boolean isNext = false;
        try {
            sequence.check(chunk);
            isNext = true;
        } finally {
            if (!isNext) {
                chunk.release();
            }
        }
        outlet.put(chunk);
    }

    private void giveCredit() {
        if (taken >= Math.max(1, config.credit().bytes() / 4)) {
            call.sendMessage(TransmitWire.Request.newBuilder().setCredit(taken).build());
            taken = 0;
        }
    }

    private TributaryException ended(Status status) {
        String from = identity + " from the Task at " + config.task();
        if (status.getCode() == Status.Code.FAILED_PRECONDITION) {
            return new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION, from + " was refused: " + status.getDescription());
        }
        String cause = status.getCause() == null ? "" : " (" + status.getCause() + ")";
        return new TributaryException(
                ErrorCode.STREAM_BROKEN,
                "expected " + from + " to go on after chunk " + sequence.last() + ", it ended: " + status.getCode()
                        + " " + status.getDescription() + cause,
                status.getCause());
    }

    private void releaseArrived() {
        for (ByteBuf message = arrived.poll(); message != null; message = arrived.poll()) {
            message.release();
        }
    }

    /** Ends the stream and releases what has arrived; what was put belongs to the outlet's reader. */
    @Override
    public void close() {
        isClosed = true;
        if (call != null) {
            call.cancel("the Dumper has ended the stream", null);
            channel.shutdownNow();
            try {
                channel.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        releaseArrived();
    }
}
