package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** XID_EVENT (16): commits a transaction; the server's own transaction number u64. */
public final class XidEvent {
    /** Bytes of an event without checksum. */
    public static final int LENGTH = EventHeader.LENGTH + Long.BYTES;

    private XidEvent() {}

    /** Rejects a truncated event. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, Long.BYTES, "xid");
    }

    /** The server's own transaction number; not an XA identifier. */
    public static long xid(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + EventHeader.LENGTH);
    }

    /** Writes an event of {@link #LENGTH} without checksum, log_pos 0. */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, long xid) {
        EventHeader.write(buf, at, origin, EventType.XID_EVENT, LENGTH);
        LittleEndian.putLong(buf, at + EventHeader.LENGTH, xid);
    }
}
