package io.tributary.transmitter;

import com.google.protobuf.UnsafeByteOperations;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The Dumper's side: opens a stream behind a cut, takes its messages as they come, and puts their chunks on its outlet. What has
 * arrived and not been put is bounded by the credit that it gives, and by one message. A stream that ends fails the stage; the
 * role builds a new one behind the cut that is durable then.
 */
public final class TransmitReceiver implements Stage {
    private static final int AT_ONCE = 64;

    private final StreamIdentity identity;
    private final long term;
    private final Optional<Cut> resume;
    private final Outlet<Chunk> outlet;
    private final LongSupplier durableCut;
    private final MessageStream stream;
    private final ChunkReader reader = new ChunkReader();
    private final ChunkSequence sequence = new ChunkSequence();
    private long newestCut;

    /**
     * @param term grows with each new leader among the Dumpers; 0 where there is one Dumper only
     * @param resume the last durable cut; empty = from the shards' start
     * @param outlet receives the chunks, numbered from 1; whoever reads it releases them
     * @param durableCut number of the newest cut that is durable, for the Task to know
     */
    public TransmitReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            long term,
            Optional<Cut> resume,
            Outlet<Chunk> outlet,
            LongSupplier durableCut) {
        this(config, identity, term, resume, outlet, durableCut, PooledByteBufAllocator.DEFAULT);
    }

    TransmitReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            long term,
            Optional<Cut> resume,
            Outlet<Chunk> outlet,
            LongSupplier durableCut,
            ByteBufAllocator allocator) {
        this.identity = identity;
        this.term = term;
        this.resume = resume;
        this.outlet = outlet;
        this.durableCut = durableCut;
        String name = identity + " from the Task at " + config.task();
        this.stream = new MessageStream(config, config.task(), name, allocator);
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
        if (!stream.isOpen()) {
            open();
        }
        int put = 0;
        while (put < AT_ONCE && outlet.hasRoom()) {
            ByteBuf message = stream.poll(sequence.last());
            if (message == null) {
                break;
            }
            put(reader.read(message));
            put++;
        }
        stream.tell(durableCut.getAsLong());
        return put;
    }

    private void open() {
        TransmitWire.Open.Builder open = TransmitWire.Open.newBuilder()
                .setVersion(StreamIdentity.VERSION)
                .setCluster(identity.cluster())
                .setStream(identity.stream())
                .setTerm(term);
        resume.ifPresent(cut -> open.setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(cut))));
        stream.open(open.build());
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
        if (chunk instanceof Chunk.CutMark mark) {
            newestCut = mark.cut().number();
        }
        outlet.put(chunk);
    }

    /** Nobody tells that a cut has become durable. */
    @Override
    public long restNanos() {
        return stream.told() < newestCut ? UNTOLD_REST_NANOS : LONGEST_REST_NANOS;
    }

    /** Ends the stream and releases what has arrived; what was put belongs to the outlet's reader. */
    @Override
    public void close() {
        stream.close();
    }
}
