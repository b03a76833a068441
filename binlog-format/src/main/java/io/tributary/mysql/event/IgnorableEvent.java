package io.tributary.mysql.event;

import java.nio.ByteBuffer;

/** IGNORABLE_LOG_EVENT (28): any bytes, which readers skip if they do not know them. Tributary's cuts are stored in it. */
public final class IgnorableEvent {
    private IgnorableEvent() {}

    /** Accepts any content. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 0, "header");
    }

    /** Offset of the content, which extends to the event's end. */
    static int bodyAt(int at) {
        return at + EventHeader.LENGTH;
    }

    /** Bytes of an event without checksum. */
    public static int length(int bodyLength) {
        return EventHeader.LENGTH + bodyLength;
    }

    /** Writes the header of an event without checksum, log_pos 0; the caller writes the content at {@link #bodyAt}. */
    public static void writeHeader(ByteBuffer buf, int at, EventOrigin origin, int bodyLength) {
        int size = length(bodyLength);
        EventHeader.write(buf, at, origin, EventType.IGNORABLE_LOG_EVENT, size);
        EventHeader.setFlags(buf, at, EventFlags.LOG_EVENT_IGNORABLE_F);
    }
}
