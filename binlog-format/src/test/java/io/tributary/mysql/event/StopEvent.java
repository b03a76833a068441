package io.tributary.mysql.event;

import java.nio.ByteBuffer;

/** STOP_EVENT (3): the server was shut down normally; only a header. */
public final class StopEvent {
    /** Bytes of an event without checksum. */
    public static final int LENGTH = EventHeader.LENGTH;

    private StopEvent() {}

    /** Accepts any content. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 0, "header");
    }

    /** Writes an event of {@link #LENGTH} without checksum, log_pos 0. */
    public static void write(ByteBuffer buf, int at, EventOrigin origin) {
        EventHeader.write(buf, at, origin, EventType.STOP_EVENT, LENGTH);
    }
}
