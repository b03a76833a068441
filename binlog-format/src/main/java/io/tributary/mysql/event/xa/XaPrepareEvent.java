package io.tributary.mysql.event.xa;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.Text;
import java.nio.ByteBuffer;

/**
 * XA_PREPARE_LOG_EVENT (38): ends a prepared branch, or commits a branch in one phase: one_phase u8, formatID u32, length of gtrid u32,
 * length of bqual u32, gtrid, bqual (XA_prepare_event in libbinlogevents/include/control_events.h).
 */
public final class XaPrepareEvent {
    private static final int ONE_PHASE_AT = EventHeader.LENGTH;
    private static final int FORMAT_ID_AT = ONE_PHASE_AT + 1;
    private static final int GTRID_LENGTH_AT = FORMAT_ID_AT + 4;
    private static final int BQUAL_LENGTH_AT = GTRID_LENGTH_AT + 4;
    private static final int GTRID_AT = BQUAL_LENGTH_AT + 4;
    private static final int MAX_PART = 64;

    private XaPrepareEvent() {}

    /** Rejects a truncated event, and parts of more than 64 bytes. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, GTRID_AT - EventHeader.LENGTH, "XA prepare");
        long gtrid = LittleEndian.getU32(view, at + GTRID_LENGTH_AT);
        long bqual = LittleEndian.getU32(view, at + BQUAL_LENGTH_AT);
        if (gtrid > MAX_PART || bqual > MAX_PART) {
            throw Malformed.event(view, at, "gtrid and bqual of at most 64 bytes", gtrid + " and " + bqual);
        }
        Malformed.room(view, at, end, at + GTRID_AT, gtrid + bqual, "gtrid and bqual");
    }

    /** Whether it commits the branch (XA COMMIT ... ONE PHASE) instead of preparing it. */
    public static boolean isOnePhase(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + ONE_PHASE_AT) != 0;
    }

    /** The 32 bits, signed. */
    private static int formatId(ByteBuffer view, int at) {
        return LittleEndian.getInt(view, at + FORMAT_ID_AT);
    }

    /** The whole XID, copied from the event. */
    public static Xid xid(ByteBuffer view, int at) {
        int gtrid = LittleEndian.getInt(view, at + GTRID_LENGTH_AT);
        int bqual = LittleEndian.getInt(view, at + BQUAL_LENGTH_AT);
        int from = at + GTRID_AT;
        return new Xid(
                Text.bytes(view, from, from + gtrid),
                Text.bytes(view, from + gtrid, from + gtrid + bqual),
                formatId(view, at));
    }

    /** Bytes of an event without checksum. */
    public static int length(Xid xid) {
        return GTRID_AT + xid.gtrid().length + xid.bqual().length;
    }

    /**
     * Writes an event without checksum, log_pos 0.
     *
     * @return the offset after it
     */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, boolean onePhase, Xid xid) {
        int size = length(xid);
        EventHeader.write(buf, at, origin, EventType.XA_PREPARE_LOG_EVENT, size);
        LittleEndian.putU8(buf, at + ONE_PHASE_AT, onePhase ? 1 : 0);
        LittleEndian.putInt(buf, at + FORMAT_ID_AT, xid.formatId());
        LittleEndian.putInt(buf, at + GTRID_LENGTH_AT, xid.gtrid().length);
        LittleEndian.putInt(buf, at + BQUAL_LENGTH_AT, xid.bqual().length);
        buf.put(at + GTRID_AT, xid.gtrid());
        buf.put(at + GTRID_AT + xid.gtrid().length, xid.bqual());
        return at + size;
    }
}
