package io.tributary.mysql.event.polardbx;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.Malformed;
import java.nio.ByteBuffer;

/**
 * SEQUENCE_EVENT (80) of a PolarDB-X data node of the first generation: kind u8, timestamp u64. A snapshot's timestamp precedes the
 * rows that were read with it, a commit's precedes its commit, a heartbeat's is outside of transactions.
 */
public final class SequenceEvent {
    /** Kind: the transaction's snapshot. */
    public static final int SNAPSHOT = 1;
    /** Kind: the commit timestamp of the transaction that contains it or follows it. */
    public static final int COMMIT = 2;
    /** Kind: a sign of life between transactions. */
    public static final int HEARTBEAT = 3;

    /** Bytes of an event without checksum. */
    public static final int LENGTH = EventHeader.LENGTH + 1 + Long.BYTES;

    private static final int KIND_AT = EventHeader.LENGTH;
    private static final int VALUE_AT = KIND_AT + 1;

    private SequenceEvent() {}

    /** Rejects a truncated event, or one of another kind. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, LENGTH - EventHeader.LENGTH, "kind and timestamp");
        int kind = kind(view, at);
        if (kind < SNAPSHOT || kind > HEARTBEAT) {
            throw Malformed.event(view, at, "kind 1 (snapshot), 2 (commit) or 3 (heartbeat)", Integer.toString(kind));
        }
    }

    /** {@link #SNAPSHOT}, {@link #COMMIT} or {@link #HEARTBEAT}. */
    public static int kind(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + KIND_AT);
    }

    /** Whether its value is a commit timestamp. */
    public static boolean isCommit(ByteBuffer view, int at) {
        return kind(view, at) == COMMIT;
    }

    /** Milliseconds since 1970 shifted left by 22 bits, and a counter; u64. */
    public static long value(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + VALUE_AT);
    }

    /** Writes an event of {@link #LENGTH} without checksum, log_pos 0. */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, int kind, long value) {
        EventHeader.write(buf, at, origin, EventType.SEQUENCE_EVENT, LENGTH);
        LittleEndian.putU8(buf, at + KIND_AT, kind);
        LittleEndian.putLong(buf, at + VALUE_AT, value);
    }
}
