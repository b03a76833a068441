package io.tributary.serve.dump;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;

/**
 * Decides which events a reader that requested a GTID set already has: those of the transactions in its set, and the cuts after them. A
 * reader with file and position has an empty set.
 */
final class GtidFilter {
    private final GtidSet has;
    private final boolean filters;
    private Sid sid;
    private long gno;
    private boolean skipping;

    GtidFilter(GtidSet has) {
        this.has = has;
        this.filters = !has.isEmpty();
    }

    /** Whether to skip this event; must be called for each event in order. */
    boolean skips(ByteBuffer view, int at) {
        if (!filters) {
            return false;
        }
        int type = EventHeader.type(view, at);
        if (type == EventType.GTID_LOG_EVENT) {
            sid = GtidEvent.sid(view, at, sid);
            gno = GtidEvent.gno(view, at);
            skipping = has.contains(sid, gno);
        } else if (type == EventType.FORMAT_DESCRIPTION_EVENT
                || type == EventType.PREVIOUS_GTIDS_LOG_EVENT
                || type == EventType.ROTATE_EVENT) {
            skipping = false;
        }
        return skipping;
    }

    /** While events are skipped: the number of the first transaction after them that the reader lacks; else 0. */
    long skippingTo() {
        return skipping ? has.firstMissing(sid, gno) : 0;
    }
}
