package io.tributary.dumper.write;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.EventHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Counts the events of chunks, as far as the layout of the file depends on them, and refuses chunks whose lengths do not fit:
 * who comes after it may trust them.
 */
final class EventWalk {
    private static final int SIZE_AT = 9;

    private int[] eventsOf = new int[1024];

    /** Events of a whole batch; {@link #eventsOf(int)} then says how many each transaction has. */
    int count(Chunk.Batch batch) {
        ByteBuffer view = batch.view();
        int transactions = batch.lengths().length;
        if (eventsOf.length < transactions) {
            eventsOf = Arrays.copyOf(eventsOf, transactions);
        }
        int at = view.position();
        int total = 0;
        for (int i = 0; i < transactions; i++) {
            int end = at + batch.lengths()[i];
            if (end <= at || end > view.limit()) {
                throw contradiction(batch, "transactions within its bytes", "one that ends at " + end);
            }
            int events = 0;
            while (at < end) {
                int size = end - at < EventHeader.LENGTH ? 0 : LittleEndian.getInt(view, at + SIZE_AT);
                if (size < EventHeader.LENGTH || size > end - at) {
                    throw contradiction(batch, "an event of at most " + (end - at) + " bytes", "one of " + size);
                }
                at += size;
                events++;
            }
            eventsOf[i] = events;
            total += events;
        }
        if (at != view.limit()) {
            throw contradiction(batch, "lengths that add up to its bytes", (view.limit() - at) + " bytes more");
        }
        return total;
    }

    /** Events of one transaction of the batch that was counted last. */
    int eventsOf(int transaction) {
        return eventsOf[transaction];
    }

    /** How far a large transaction has been received. */
    static final class Large {
        final Chunk.Begin begin;
        long bytes;
        long events;
        /** Bytes of the current event that are still to come. */
        long eventLeft;
        /** Events that end in the newest part. */
        int ended;

        Large(Chunk.Begin begin) {
            this.begin = begin;
        }

        /** Counts the next part; a second time it must not be called for the same. */
        void count(Chunk.Data part) {
            ByteBuffer view = part.view();
            ended = 0;
            bytes += view.remaining();
            for (int at = view.position(); at < view.limit(); ) {
                if (eventLeft == 0) {
                    boolean whole = view.limit() - at >= EventHeader.LENGTH;
                    eventLeft = whole ? LittleEndian.getU32(view, at + SIZE_AT) : 0;
                    if (eventLeft < EventHeader.LENGTH) {
                        throw contradiction(part, "a whole header", (view.limit() - at) + " bytes, size " + eventLeft);
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
