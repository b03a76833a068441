package io.tributary.mysql.event;

import io.tributary.common.gtid.GtidSet;
import java.nio.ByteBuffer;

/** PREVIOUS_GTIDS_LOG_EVENT (35): all GTIDs of the files before this one, in the form of {@link GtidSet#encode(ByteBuffer, int)}. */
public final class PreviousGtidsEvent {
    private PreviousGtidsEvent() {}

    /** Rejects an event that does not contain a GTID set. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, Long.BYTES, "GTID set");
        gtids(view, at, end);
    }

    /** All GTIDs of the files before this one. */
    public static GtidSet gtids(ByteBuffer view, int at, int end) {
        int from = at + EventHeader.LENGTH;
        try {
            return GtidSet.decode(view, from, end - from);
        } catch (IllegalArgumentException e) {
            throw Malformed.event(view, at, "a GTID set", e.getMessage());
        }
    }

    /** Bytes of an event without checksum. */
    public static int length(GtidSet gtids) {
        return EventHeader.LENGTH + gtids.encodedLength();
    }

    /**
     * Writes an event without checksum, log_pos 0, flags {@link EventFlags#LOG_EVENT_IGNORABLE_F} as MySQL does.
     *
     * @return the offset after it
     */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, GtidSet gtids) {
        int size = length(gtids);
        EventHeader.write(buf, at, origin, EventType.PREVIOUS_GTIDS_LOG_EVENT, size);
        EventHeader.setFlags(buf, at, EventFlags.LOG_EVENT_IGNORABLE_F);
        return gtids.encode(buf, at + EventHeader.LENGTH);
    }
}
