package io.tributary.collector;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;

/** Reads ahead in a payload for its next statement group: table maps and rows up to the rows event that ends the statement. */
final class GroupScan implements AutoCloseable {
    static final int DELETES = 0;
    static final int UPDATES = 1;
    static final int OTHER = 2;

    private final Payload.Cursor cursor;
    private ByteBuffer range;
    private int from;
    private long length;
    private int rank;

    GroupScan(Payload payload) {
        this.cursor = payload.open();
    }

    /** Finds the next group; false when there is none. */
    boolean next() {
        length = 0;
        rank = OTHER;
        boolean ended = false;
        while (!ended && hasRange()) {
            int size = EventHeader.size(range, from);
            boolean isRows = RowsEvent.isRows(EventHeader.type(range, from));
            if (isRows) {
                rank = Math.min(rank, rankOf(range, from));
                skip(EventCopy.ROWS_FLAGS_AT);
                hasRange();
                ended = (LittleEndian.getU8(range, from) & RowsEvent.STMT_END_F) != 0;
                skip(size - EventCopy.ROWS_FLAGS_AT);
            } else {
                skip(size);
            }
            length += size;
        }
        return length > 0;
    }

    /** Bytes of the group. */
    long length() {
        return length;
    }

    /** The priority among several groups: {@link #DELETES}, then {@link #UPDATES}, then {@link #OTHER}. */
    int rank() {
        return rank;
    }

    /** The rank that a rows event gives to its group. */
    static int rankOf(ByteBuffer view, int at) {
        if (RowsEvent.isDelete(view, at)) {
            return DELETES;
        }
        return RowsEvent.isUpdate(view, at) ? UPDATES : OTHER;
    }

    private void skip(int bytes) {
        int left = bytes;
        while (left > 0 && hasRange()) {
            int step = Math.min(left, range.limit() - from);
            from += step;
            left -= step;
        }
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

    @Override
    public void close() {
        cursor.close();
    }
}
