package io.tributary.collector;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;

/**
 * Copies the events of one payload piece by piece into other buffers. A header is never split. The rows events of a branch that is joined with others
 * get the flag NO_FOREIGN_KEY_CHECKS.
 */
final class EventCopy implements AutoCloseable {
    /** Offset of the low byte of a rows event's flags (see {@link RowsEvent}); it may be in another range than the header. */
    static final int ROWS_FLAGS_AT = EventHeader.LENGTH + 6;

    private final Payload.Cursor cursor;
    private final boolean marksRows;
    private ByteBuffer range;
    private int from;
    private int size;
    private int copied;
    private boolean isRows;

    EventCopy(Payload payload, boolean marksRows) {
        this.cursor = payload.open();
        this.marksRows = marksRows;
    }

    /**
     * Copies up to {@code most} bytes.
     *
     * @param end no byte is written at or after this offset
     * @return how many were copied: less than {@code most} only if the payload has ended or no more fits
     */
    long copy(ByteBuffer to, int at, int end, long most) {
        long done = 0;
        while (done < most) {
            if (!hasRange()) {
                break;
            }
            if (copied == size && !beginEvent(end - at)) {
                break;
            }
            int length = (int) Math.min(Math.min(size - copied, range.limit() - from), Math.min(end - at, most - done));
            if (length == 0) {
                break;
            }
            to.put(at, range, from, length);
            mark(to, at, length);
            from += length;
            copied += length;
            at += length;
            done += length;
        }
        return done;
    }

    /** Whether all has been copied. */
    boolean isAtEnd() {
        return !hasRange();
    }

    private boolean hasRange() {
        while (range == null || from == range.limit()) {
            range = cursor.next();
            if (range == null) {
                return false;
            }
            from = range.position();
        }
        return true;
    }

    private boolean beginEvent(int room) {
        if (room < EventHeader.LENGTH) {
            return false;
        }
        size = EventHeader.size(range, from);
        copied = 0;
        isRows = RowsEvent.isRows(EventHeader.type(range, from));
        return true;
    }

    private void mark(ByteBuffer to, int at, int length) {
        int flags = ROWS_FLAGS_AT - copied;
        if (marksRows && isRows && flags >= 0 && flags < length) {
            int marked = LittleEndian.getU8(to, at + flags) | RowsEvent.NO_FOREIGN_KEY_CHECKS_F;
            LittleEndian.putU8(to, at + flags, marked);
        }
    }

    @Override
    public void close() {
        cursor.close();
    }
}
