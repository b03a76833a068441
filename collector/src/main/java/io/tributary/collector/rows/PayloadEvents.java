package io.tributary.collector.rows;

import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;

/** Reads the events of a payload one by one. The head of each event is contiguous, wherever ranges end. For one thread. */
final class PayloadEvents implements AutoCloseable {
    /** The most bytes of an event that are copied together; they contain the header, and the table id and flags of rows events. */
    private static final int HEAD = 64;

    private final Payload.Cursor cursor;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private ByteBuffer range;
    private int at;
    private int headLength;
    private int left;

    PayloadEvents(Payload payload) {
        this.cursor = payload.open();
    }

    /** The table map event with this table id. */
    static ByteBuffer tableMap(Payload payload, long id) {
        try (PayloadEvents events = new PayloadEvents(payload)) {
            while (events.next()) {
                if (events.type() == EventType.TABLE_MAP_EVENT && TableMapEvent.tableId(events.head(), 0) == id) {
                    return events.copy();
                }
            }
        }
        throw new IllegalStateException("expected the table map " + id + " in its payload, found none");
    }

    /** Moves to the next event; false when there is none. */
    boolean next() {
        skip(left);
        left = 0;
        if (!hasRange()) {
            return false;
        }
        int size = EventHeader.size(range, at); // a header is never split
        headLength = Math.min(HEAD, size);
        for (int done = 0; done < headLength && hasRange(); ) {
            int length = Math.min(headLength - done, range.limit() - at);
            head.put(done, range, at, length);
            done += length;
            at += length;
        }
        left = size - headLength;
        return true;
    }

    /** The first bytes of the event from offset 0, with the header; may be changed before {@link #appendTo}. */
    ByteBuffer head() {
        return head;
    }

    int type() {
        return EventHeader.type(head, 0);
    }

    /** The whole event in a buffer of its own, from position to limit. */
    ByteBuffer copy() {
        ByteBuffer whole = ByteBuffer.allocate(headLength + left);
        whole.put(0, head, 0, headLength);
        gather(whole, headLength);
        return whole;
    }

    /** Appends the event. An event in several ranges is copied into one buffer first. */
    void appendTo(PayloadAppender appender) {
        if (left == 0) {
            appender.append(head, 0, headLength);
        } else if (hasRange() && range.limit() - at >= left) {
            appender.beginEvent(head, 0, headLength);
            appender.append(range, at, left);
        } else {
            ByteBuffer rest = ByteBuffer.allocateDirect(left);
            gather(rest, 0);
            appender.beginEvent(head, 0, headLength);
            appender.append(rest, 0, rest.capacity());
        }
    }

    private void gather(ByteBuffer to, int from) {
        for (int done = from; left > 0 && hasRange(); ) {
            int length = Math.min(left, range.limit() - at);
            to.put(done, range, at, length);
            done += length;
            at += length;
            left -= length;
        }
    }

    private void skip(int bytes) {
        for (int rest = bytes; rest > 0 && hasRange(); ) {
            int length = Math.min(rest, range.limit() - at);
            rest -= length;
            at += length;
        }
    }

    private boolean hasRange() {
        while (range == null || at == range.limit()) {
            range = cursor.next();
            if (range == null) {
                return false;
            }
            at = range.position();
        }
        return true;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
