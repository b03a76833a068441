package io.tributary.mysql.event;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;

/**
 * Decompresses {@link TransactionPayloadEvent}s and passes the events in them one by one, through a window of constant size that grows
 * only for a larger event. For one thread; closed by its owner.
 */
public final class PayloadUnpacker implements AutoCloseable {
    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private final int windowBytes;
    /** Created for the first compressed payload: most shards send none. */
    private ByteBuffer window = ByteBuffer.allocateDirect(0);

    private ByteBuffer directSource = ByteBuffer.allocateDirect(0);

    private boolean onlySmall;
    /** Bytes of a larger event that still have to be dropped. */
    private int missing;

    /** Receives the events of a payload. */
    public interface Sink {
        /**
         * Receives one event, whose header has been checked.
         *
         * @param view valid until the method returns
         * @param end offset after the event: events in a payload have no checksum, and their log_pos is 0
         */
        void event(ByteBuffer view, int at, int end);
    }

    /** @param windowBytes off-heap memory to keep, for example 256 KiB */
    public PayloadUnpacker(int windowBytes) {
        this.windowBytes = windowBytes;
    }

    /**
     * Passes all events of a checked transaction payload to the sink, in order.
     *
     * @param limit maximum bytes of all events together
     * @return the bytes of all events
     * @throws TributaryException {@code PAYLOAD_TOO_LARGE} above the limit, {@code EVENT_MALFORMED} if the payload is not a series of events
     */
    public long unpack(ByteBuffer view, int at, int end, long limit, Sink sink) {
        long declared = TransactionPayloadEvent.uncompressedSize(view, at);
        requireBelow(view, at, declared, limit);
        int from = TransactionPayloadEvent.payloadAt(view, at);
        long total;
        if (TransactionPayloadEvent.compression(view, at) == TransactionPayloadEvent.COMPRESSION_NONE) {
            requireBelow(view, at, end - from, limit);
            ByteBuffer events = view.duplicate().clear().limit(end).position(from);
            requireNothingLeft(view, at, end - deliver(view, at, events, sink));
            total = (long) end - from;
        } else {
            total = decompress(view, at, source(view, from, end), limit, sink);
        }
        if (declared >= 0 && declared != total) {
            throw Malformed.event(view, at, declared + " bytes before compression", total + " bytes");
        }
        return total;
    }

    /**
     * As {@link #unpack}, without a limit: events that are larger than the window are dropped, so that they use no memory.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} if the payload is not a series of events
     */
    public void unpackSmall(ByteBuffer view, int at, int end, Sink sink) {
        onlySmall = true;
        try {
            unpack(view, at, end, Long.MAX_VALUE, sink);
        } finally {
            onlySmall = false;
        }
    }

    private long decompress(ByteBuffer view, int at, ByteBuffer source, long limit, Sink sink) {
        zstd.reset();
        missing = 0;
        if (window.capacity() == 0) {
            window = ByteBuffer.allocateDirect(windowBytes);
        }
        window.clear();
        long total = 0;
        boolean frameDone = false;
        while (source.hasRemaining() || !frameDone) {
            int before = window.position();
            int sourceBefore = source.position();
            frameDone = decompressSome(view, at, source);
            total += window.position() - before;
            requireBelow(view, at, total, limit);
            if (window.position() == before && source.position() == sourceBefore) {
                throw Malformed.event(
                        view, at, "a whole zstd frame", "one that is truncated after " + total + " bytes");
            }
            window.flip();
            window.position(Math.min(missing, window.limit()));
            missing -= window.position();
            keepRest(view, at, deliver(view, at, window, sink), limit);
        }
        requireNothingLeft(view, at, window.position() + missing);
        if (window.capacity() > windowBytes) {
            window = ByteBuffer.allocateDirect(windowBytes);
        }
        return total;
    }

    private boolean decompressSome(ByteBuffer view, int at, ByteBuffer source) {
        try {
            return zstd.decompressDirectByteBufferStream(window, source);
        } catch (ZstdException e) {
            throw Malformed.event(view, at, "a zstd frame", e.getMessage());
        }
    }

    /** Passes the whole events from the buffer's position to its limit; returns the offset after the last one. */
    private static int deliver(ByteBuffer payload, int at, ByteBuffer events, Sink sink) {
        int next = events.position();
        int end = events.limit();
        while (end - next >= EventHeader.LENGTH) {
            int size = EventHeader.size(events, next);
            if (size < EventHeader.LENGTH) {
                throw Malformed.event(payload, at, "events of 19 bytes and more in the payload", "size " + size);
            }
            if (size > end - next) {
                break;
            }
            sink.event(events, next, next + size);
            next += size;
        }
        return next;
    }

    /** Moves the incomplete event to the window's beginning and makes room for all of it. */
    private void keepRest(ByteBuffer view, int at, int restAt, long limit) {
        int rest = window.limit() - restAt;
        int size = rest < EventHeader.LENGTH ? EventHeader.LENGTH : EventHeader.size(window, restAt);
        requireBelow(view, at, size, limit);
        window.position(restAt);
        if (size <= window.capacity()) {
            window.compact();
            return;
        }
        if (onlySmall) {
            missing = size - rest;
            window.clear();
            return;
        }
        ByteBuffer larger = ByteBuffer.allocateDirect(size);
        larger.put(window);
        window = larger;
    }

    /** The zstd library reads direct buffers only. */
    private ByteBuffer source(ByteBuffer view, int from, int end) {
        if (view.isDirect()) {
            return view.duplicate().clear().limit(end).position(from);
        }
        int length = end - from;
        if (directSource.capacity() < length) {
            directSource = ByteBuffer.allocateDirect(length);
        }
        directSource.clear().limit(length);
        directSource.put(0, view, from, length);
        return directSource;
    }

    private static void requireBelow(ByteBuffer view, int at, long bytes, long limit) {
        if (bytes > limit) {
            throw new TributaryException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    Malformed.name(view, at) + ": expected at most " + limit + " bytes before compression, found "
                            + bytes + " or more");
        }
    }

    private static void requireNothingLeft(ByteBuffer view, int at, int bytes) {
        if (bytes != 0) {
            throw Malformed.event(view, at, "whole events in the payload", "one that is truncated after " + bytes);
        }
    }

    @Override
    public void close() {
        zstd.close();
    }
}
