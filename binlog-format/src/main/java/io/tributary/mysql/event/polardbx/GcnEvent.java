package io.tributary.mysql.event.polardbx;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.Malformed;
import java.nio.ByteBuffer;

/**
 * GCN_LOG_EVENT (105) of a PolarDB-X data node of the third generation: flags u8, timestamp u64. It precedes the transaction's GTID or
 * its end. The timestamp is the one that the coordinator gave to the commit only if {@link #FLAG_HAVE_COMMITTED_SEQ} is set; without the
 * flag the server created one itself, or none, and then the timestamp may be missing.
 */
public final class GcnEvent {
    /** Flag: the timestamp is the coordinator's commit timestamp. */
    public static final int FLAG_HAVE_COMMITTED_SEQ = 0x04;

    /** Bytes of an event with a timestamp, without checksum. */
    public static final int LENGTH = EventHeader.LENGTH + 1 + Long.BYTES;

    private static final int FLAGS_AT = EventHeader.LENGTH;
    private static final int VALUE_AT = FLAGS_AT + 1;

    private GcnEvent() {}

    /** Rejects a truncated event: with the commit flag it must have its timestamp. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 1, "flags");
        if (isCommit(view, at)) {
            Malformed.room(view, at, end, at + VALUE_AT, Long.BYTES, "commit timestamp");
        }
    }

    /** 8 bits, including the commit flag. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + FLAGS_AT);
    }

    /** Whether it has the coordinator's commit timestamp; only then may {@link #value} be read. */
    public static boolean isCommit(ByteBuffer view, int at) {
        return (flags(view, at) & FLAG_HAVE_COMMITTED_SEQ) != 0;
    }

    /** Milliseconds since 1970 shifted left by 22 bits, and a counter; u64. */
    public static long value(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + VALUE_AT);
    }

    /** Writes an event of {@link #LENGTH} without checksum, log_pos 0. */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, int flags, long value) {
        EventHeader.write(buf, at, origin, EventType.GCN_LOG_EVENT, LENGTH);
        LittleEndian.putU8(buf, at + FLAGS_AT, flags);
        LittleEndian.putLong(buf, at + VALUE_AT, value);
    }
}
