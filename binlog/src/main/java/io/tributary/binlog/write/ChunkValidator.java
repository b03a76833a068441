package io.tributary.binlog.write;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.EventHeader;
import java.nio.ByteBuffer;

/**
 * Counts the events of chunks, as far as the layout of the file depends on the count, and refuses chunks with impossible lengths.
 */
final class ChunkValidator {
    private static final int SIZE_AT = 9;

    private ChunkValidator() {}

    /**
     * The number of events that a batch declares. It does not read the batch's bytes: they are still in the caches of the core that wrote
     * them. Refuses impossible lengths and numbers; the patcher checks that they agree with the bytes.
     */
    static long events(Chunk.Batch batch) {
        int[] lengths = batch.lengths();
        int[] events = batch.events();
        if (events.length != lengths.length) {
            throw contradiction(
                    batch, "the events of " + lengths.length + " transactions", "those of " + events.length);
        }
        long bytes = 0;
        long all = 0;
        for (int i = 0; i < lengths.length; i++) {
            if (events[i] <= 0 || events[i] > lengths[i] / EventHeader.LENGTH) {
                throw contradiction(
                        batch, "transactions of one event or more", events[i] + " in " + lengths[i] + " bytes");
            }
            bytes += lengths[i];
            all += events[i];
        }
        if (bytes != batch.view().remaining()) {
            throw contradiction(batch, "lengths that add up to " + batch.view().remaining() + " bytes", bytes + "");
        }
        return all;
    }

    /** How much of a large transaction has been received. */
    static final class Large {
        final Chunk.Begin begin;
        long bytes;
        long events;
        /** Bytes of the current event that have not been received yet. */
        long eventLeft;
        /** Number of events that end in the newest part. */
        int ended;

        Large(Chunk.Begin begin) {
            this.begin = begin;
        }

        /** Counts the next part; must be called once for each part. */
        void count(Chunk.Data part) {
            ByteBuffer view = part.view();
            ended = 0;
            bytes += view.remaining();
            for (int at = view.position(); at < view.limit(); ) {
                if (eventLeft == 0) {
                    boolean whole = view.limit() - at >= EventHeader.LENGTH;
                    eventLeft = whole ? LittleEndian.getU32(view, at + SIZE_AT) : 0;
                    if (eventLeft < EventHeader.LENGTH) {
                        throw contradiction(
                                part, "a complete header", (view.limit() - at) + " bytes, size " + eventLeft);
                    }
                }
                int step = (int) Math.min(eventLeft, view.limit() - at);
                at += step;
                eventLeft -= step;
                if (eventLeft == 0) {
                    ended++;
                }
            }
            events += ended;
        }

        void checkWhole(Chunk end) {
            if (bytes != begin.length() || events != begin.events() || eventLeft != 0) {
                throw contradiction(
                        end,
                        "a large transaction of " + begin.length() + " bytes in " + begin.events() + " events",
                        bytes + " bytes in " + events);
            }
        }
    }

    static TributaryException contradiction(Chunk chunk, String expected, String found) {
        return new TributaryException(
                ErrorCode.STREAM_CONTRADICTION,
                "chunk " + chunk.number() + ": expected " + expected + ", found " + found);
    }
}
