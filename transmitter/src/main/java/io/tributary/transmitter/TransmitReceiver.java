package io.tributary.transmitter;

import com.google.protobuf.UnsafeByteOperations;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.Collections;
import java.util.Iterator;
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
    private final StreamStart start;
    private final Outlet<Chunk> outlet;
    private final LongSupplier durableCut;
    private final MessageStream stream;
    private final ChunkReader reader = new ChunkReader();
    private final ChunkSequence sequence = new ChunkSequence();
    private Iterator<Journal> state = Collections.emptyIterator();
    private long newestCut;

    /**
     * @param term grows with each new leader among the Dumpers; 0 where there is one Dumper only
     * @param start the last durable cut, and the journal there
     * @param outlet receives the chunks, numbered from 1; whoever reads it releases them
     * @param durableCut number of the newest cut that is durable, for the Task to know
     */
    public TransmitReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            long term,
            StreamStart start,
            Outlet<Chunk> outlet,
            LongSupplier durableCut) {
        this(config, identity, term, start, outlet, durableCut, PooledByteBufAllocator.DEFAULT);
    }

    TransmitReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            long term,
            StreamStart start,
            Outlet<Chunk> outlet,
            LongSupplier durableCut,
            ByteBufAllocator allocator) {
        this.identity = identity;
        this.term = term;
        this.start = start;
        this.outlet = outlet;
        this.durableCut = durableCut;
        String name = identity + " from the Task at " + config.task();
        ErrorCode refused = term == 0 ? ErrorCode.STREAM_CONTRADICTION : ErrorCode.STREAM_REFUSED;
        this.stream = new MessageStream(config, config.task(), name, refused, allocator);
    }

    @Override
    public String name() {
        return "receive";
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN when the stream ends; STREAM_CONTRADICTION when the only Task that there is refuses it, or
     *     what comes cannot be; STREAM_REFUSED when one of a cluster refuses it
     */
    @Override
    public int doWork() {
        if (!stream.isOpen()) {
            open();
        }
        int put = sendState();
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
        start.cut().ifPresent(cut -> open.setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(cut))));
        if (start.hasJournal()) {
            state = start.journal().get();
            stream.openWithState(open.build());
        } else {
            stream.open(open.build());
        }
    }

    /** The parts of the journal, as they fit; the first credit follows the last of them. */
    private int sendState() {
        int sent = 0;
        while (state.hasNext() && sent < AT_ONCE && stream.isReady()) {
            stream.state(JournalCodec.encode(state.next()));
            sent++;
            if (!state.hasNext()) {
                stream.giveFirstCredit();
            }
        }
        return sent;
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
