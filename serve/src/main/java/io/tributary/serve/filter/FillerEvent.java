package io.tributary.serve.filter;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.IgnorableEvent;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XidEvent;
import java.nio.ByteBuffer;

/**
 * The replacement of events that a filter drops. A replica that reads by position counts the bytes that it receives, so it must receive as
 * many: an ignorable event of the same size without content.
 */
public final class FillerEvent {
    private static final int CATALOG = 6;
    private static final int MAX_PADDING = 257;
    private static final byte[] NONE = {};
    private static final byte[] BEGIN = {'B', 'E', 'G', 'I', 'N'};
    private static final int SHORT_BEGIN = QueryEvent.length(0, 0, BEGIN.length) + Checksum.LENGTH;
    private static final int XID = XidEvent.LENGTH + Checksum.LENGTH;
    private static final int LEAST_BLANK = IgnorableEvent.length(0) + Checksum.LENGTH;

    private FillerEvent() {}

    /** Makes the event at {@code at} an ignorable one by its header; size and log_pos do not change. */
    public static void makeIgnorable(ByteBuffer buf, int at) {
        EventHeader.setType(buf, at, EventType.IGNORABLE_LOG_EVENT);
        EventHeader.setFlags(buf, at, EventFlags.LOG_EVENT_IGNORABLE_F);
    }

    /** Makes the whole event at {@code at} an ignorable one without content, with a new checksum. */
    public static void blank(ByteBuffer buf, int at) {
        makeIgnorable(buf, at);
        int end = EventHeader.end(buf, at);
        for (int i = at + EventHeader.LENGTH; i < end; i++) {
            buf.put(i, (byte) 0);
        }
        new Checksum().append(buf, at);
    }

    /**
     * BEGIN and XID, with checksums, that replace a dropped statement: as many bytes as the statement if possible, and the same end.
     *
     * @param view the statement's first bytes
     * @param offset of the statement in its file
     * @return from 0 to the limit
     */
    public static ByteBuffer transaction(ByteBuffer view, int at, long offset) {
        long size = EventHeader.unsignedSize(view, at);
        EventOrigin origin = EventOrigin.of(view, at);
        long spare = size - SHORT_BEGIN - XID;
        boolean isPadded = spare >= 2 && spare <= MAX_PADDING;
        int blank = spare > MAX_PADDING ? (int) Math.min(spare, Integer.MAX_VALUE - SHORT_BEGIN - XID) : 0;
        byte[] variables = isPadded ? catalog((int) spare) : NONE;
        ByteBuffer out = ByteBuffer.allocate(SHORT_BEGIN + variables.length + XID + blank);
        int next = QueryEvent.write(
                out, 0, origin, new LoggedStatement(EventFlags.LOG_EVENT_SUPPRESS_USE_F, 0, variables, NONE, BEGIN));
        next = finish(out, 0, next, offset); // a reader that resumes there gets all of it again
        if (blank >= LEAST_BLANK) {
            IgnorableEvent.writeHeader(out, next, origin, blank - LEAST_BLANK);
            next = finish(out, next, next + blank - Checksum.LENGTH, offset);
        }
        XidEvent.write(out, next, origin, 0);
        finish(out, next, next + XidEvent.LENGTH, offset + size);
        return out;
    }

    /** A status variable of that many bytes: a catalog of spaces, which readers ignore. */
    private static byte[] catalog(int bytes) {
        byte[] variable = new byte[bytes];
        variable[0] = CATALOG;
        variable[1] = (byte) (bytes - 2);
        java.util.Arrays.fill(variable, 2, bytes, (byte) ' ');
        return variable;
    }

    /** Adds checksum and log_pos to the event at {@code at}, which ends at {@code end} without a checksum; returns its new end. */
    private static int finish(ByteBuffer buf, int at, int end, long logPos) {
        int size = end - at + Checksum.LENGTH;
        EventHeader.setSize(buf, at, size);
        EventHeader.setLogPos(buf, at, logPos);
        new Checksum().append(buf, at);
        return at + size;
    }
}
