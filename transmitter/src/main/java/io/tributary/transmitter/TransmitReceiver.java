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
import io.tributary.transmit.proto.TransmitWire;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.LongSupplier;

/**
 * The stage that receives a Task's chunks in a Dumper. It opens a stream after a cut, reads its messages, and puts their chunks on its
 * outlet. The bytes that have arrived and are not on the outlet yet are at most its credit plus one message. If the stream ends, the stage
 * fails; the role builds a new one after the cut that is durable at that time.
 */
public final class TransmitReceiver implements Stage {
    private static final int AT_ONCE = 64;

    private final RequestedStream requested;
    private final Outlet<Chunk> outlet;
    private final LongSupplier durableCut;
    private final MessageStream stream;
    private final ChunkReader reader = new ChunkReader();
    private final ChunkSequence sequence = new ChunkSequence();
    private Iterator<Journal> state = Collections.emptyIterator();
    private long newestCut;

    /**
     * @param outlet receives the chunks, numbered from 1; its reader releases them
     * @param durableCut number of the newest durable cut, which is reported to the Task
     */
    public TransmitReceiver(
            TransmitConfig config, RequestedStream requested, Outlet<Chunk> outlet, LongSupplier durableCut) {
        this(config, requested, outlet, durableCut, PooledByteBufAllocator.DEFAULT);
    }

    TransmitReceiver(
            TransmitConfig config,
            RequestedStream requested,
            Outlet<Chunk> outlet,
            LongSupplier durableCut,
            ByteBufAllocator allocator) {
        this.requested = requested;
        this.outlet = outlet;
        this.durableCut = durableCut;
        String name = requested.identity() + " from the Task at " + config.task();
        ErrorCode refused = requested.epoch() == 0 ? ErrorCode.STREAM_CONTRADICTION : ErrorCode.STREAM_REFUSED;
        this.stream = new MessageStream(config, config.task(), name, refused, allocator);
    }

    @Override
    public String name() {
        return "receive";
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN if the stream ends; STREAM_CONTRADICTION if the only Task refuses it or a Task sends an invalid
     *     message; STREAM_REFUSED if a Task of a cluster refuses it
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
        stream.report(durableCut.getAsLong());
        return put;
    }

    private void open() {
        TransmitWire.Open.Builder open = TransmitWire.Open.newBuilder()
                .setVersion(StreamIdentity.VERSION)
                .setCluster(requested.identity().cluster())
                .setStream(requested.identity().stream())
                .setEpoch(requested.epoch());
        StreamStart start = requested.start();
        start.cut().ifPresent(cut -> open.setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(cut))));
        if (start.hasJournal()) {
            state = start.journal().get();
            stream.openWithState(open.build());
        } else {
            stream.open(open.build());
        }
    }

    /** Sends the parts of the journal while the connection accepts them; the first credit follows the last part. */
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

    /** A cut that becomes durable does not wake up this stage: it polls. */
    @Override
    public long restNanos() {
        return stream.reportedCut() < newestCut ? POLL_REST_NANOS : LONGEST_REST_NANOS;
    }

    /** Ends the stream and releases the messages that have arrived; chunks on the outlet belong to its reader. */
    @Override
    public void close() {
        stream.close();
    }
}
