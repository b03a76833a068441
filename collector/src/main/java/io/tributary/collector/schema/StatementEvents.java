package io.tributary.collector.schema;

import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import java.nio.ByteBuffer;

/** Reads the QUERY events at the beginning of a DDL token's payload. */
public final class StatementEvents {
    private StatementEvents() {}

    /** A copy of the event at this index in the payload, from 0. */
    public static ByteBuffer copy(Payload payload, int place) {
        try (Payload.Cursor cursor = payload.open()) {
            Reader reader = new Reader(cursor);
            for (int before = 0; before < place; before++) {
                reader.event();
            }
            return reader.event();
        }
    }

    /** Joins events that are split over several ranges of a payload. */
    private static final class Reader {
        private final Payload.Cursor cursor;
        private ByteBuffer range;
        private int at;

        Reader(Payload.Cursor cursor) {
            this.cursor = cursor;
        }

        ByteBuffer event() {
            fill();
            ByteBuffer event = ByteBuffer.allocate(EventHeader.size(range, at));
            while (event.hasRemaining()) {
                fill();
                int length = Math.min(event.remaining(), range.limit() - at);
                event.put(event.position(), range, at, length);
                event.position(event.position() + length);
                at += length;
            }
            return event.flip();
        }

        private void fill() {
            while (range == null || at == range.limit()) {
                range = cursor.next();
                if (range == null) {
                    throw new IllegalStateException("expected one event for each part of a statement, found fewer");
                }
                at = range.position();
            }
        }
    }
}
