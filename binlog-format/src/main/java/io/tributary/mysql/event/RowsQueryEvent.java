package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/**
 * ROWS_QUERY_LOG_EVENT (29): the statement that caused the rows which follow: its length u8, limited to 255 and not reliable, then
 * its text to the end.
 */
public final class RowsQueryEvent {
    private static final int TEXT_AT = EventHeader.LENGTH + 1;

    private RowsQueryEvent() {}

    /** Rejects a truncated event. */
    static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 1, "statement");
    }

    /** The statement. */
    public static String text(ByteBuffer view, int at, int end) {
        return Text.utf8(view, at + TEXT_AT, end);
    }

    /** Bytes of an event without checksum. */
    static int length(int textLength) {
        return TEXT_AT + textLength;
    }

    /**
     * Writes an event without checksum, log_pos 0.
     *
     * @return the offset after it
     */
    static int write(ByteBuffer buf, int at, EventOrigin origin, byte[] text) {
        int size = length(text.length);
        EventHeader.write(buf, at, origin, EventType.ROWS_QUERY_LOG_EVENT, size);
        EventHeader.setFlags(buf, at, EventFlags.LOG_EVENT_IGNORABLE_F);
        LittleEndian.putU8(buf, at + EventHeader.LENGTH, Math.min(255, text.length));
        buf.put(at + TEXT_AT, text);
        return at + size;
    }
}
