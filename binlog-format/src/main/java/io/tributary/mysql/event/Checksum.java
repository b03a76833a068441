package io.tributary.mysql.event;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * CRC32 of events: the last four bytes of an event, over all bytes before them, if the file's format description announces checksums
 * (Log_event_footer in libbinlogevents/include/binlog_event.h). An instance is for one thread and allocates only for a buffer that differs
 * from the previous one.
 */
public final class Checksum {
    /** Bytes of a checksum. */
    public static final int LENGTH = 4;
    /** Algorithm byte of a format description: events carry no checksum. */
    public static final int NONE = 0;
    /** Algorithm byte of a format description: events carry a CRC32. */
    public static final int CRC32 = 1;

    private final CRC32 crc = new CRC32();
    private ByteBuffer last;
    private ByteBuffer lastCopy;

    /** CRC32 of the bytes {@code from..to-1} as an int. */
    private int crc32(ByteBuffer view, int from, int to) {
        crc.reset();
        update(view, from, to);
        return (int) crc.getValue();
    }

    /** Whether the event's last four bytes are its checksum; the header must have been checked. */
    public boolean fits(ByteBuffer view, int at) {
        int end = EventHeader.end(view, at) - LENGTH;
        return end >= at + EventHeader.LENGTH && LittleEndian.getInt(view, end) == crcOfEvent(view, at, end);
    }

    /**
     * Rejects an event whose last four bytes are not its checksum; the header must have been checked.
     *
     * @throws TributaryException {@code EVENT_CHECKSUM_WRONG}
     */
    public void verify(ByteBuffer view, int at) {
        if (!fits(view, at)) {
            int end = EventHeader.end(view, at) - LENGTH;
            String found = end < at + EventHeader.LENGTH ? "no room for one" : hex(LittleEndian.getInt(view, end));
            String expected = hex(end < at ? 0 : crcOfEvent(view, at, end));
            throw new TributaryException(
                    ErrorCode.EVENT_CHECKSUM_WRONG,
                    Malformed.name(view, at) + ": expected checksum " + expected + ", found " + found);
        }
    }

    /** Writes the checksum into the event's last four bytes; its header's size includes them. */
    public void append(ByteBuffer buf, int at) {
        int end = EventHeader.end(buf, at) - LENGTH;
        LittleEndian.putInt(buf, end, crcOfEvent(buf, at, end));
    }

    /** Computes the checksum of an event; the in-use mark of a format description does not count. */
    private int crcOfEvent(ByteBuffer view, int at, int end) {
        int flags = EventHeader.flags(view, at);
        boolean marked = EventHeader.type(view, at) == EventType.FORMAT_DESCRIPTION_EVENT
                && (flags & EventFlags.LOG_EVENT_BINLOG_IN_USE_F) != 0;
        if (!marked) {
            return crc32(view, at, end);
        }
        crc.reset();
        update(view, at, at + EventHeader.LENGTH - 2);
        int unmarked = flags & ~EventFlags.LOG_EVENT_BINLOG_IN_USE_F;
        crc.update(unmarked);
        crc.update(unmarked >>> 8);
        update(view, at + EventHeader.LENGTH, end);
        return (int) crc.getValue();
    }

    @SuppressWarnings("ReferenceEquality") // compares the identity of the buffer, not its bytes
    private void update(ByteBuffer view, int from, int to) {
        if (view.hasArray()) {
            crc.update(view.array(), view.arrayOffset() + from, to - from);
            return;
        }
        if (view != last) {
            last = view;
            lastCopy = view.duplicate();
        }
        lastCopy.clear().limit(to).position(from);
        crc.update(lastCopy);
    }

    private static String hex(int value) {
        return String.format("0x%08x", value);
    }
}
