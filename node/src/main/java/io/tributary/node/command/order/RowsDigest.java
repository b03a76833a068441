package io.tributary.node.command.order;

import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A number for the rows of a transaction that does not depend on the order of its rows events, on table ids and on flags: equal for a branch's rows on
 * its shard and in the binlog, unless a schema change has rewritten them. The digest of a joined transaction is the sum of those of its branches. For one
 * thread.
 */
final class RowsDigest {
    /** Offset of what is counted in an event: after header, table id and flags. */
    private static final int COUNTED_FROM = EventHeader.LENGTH + 8;

    private final CRC32 first = new CRC32();
    private final CRC32C second = new CRC32C();
    private long sum;
    private boolean isRows;
    private long at; // offset in the current event
    private long left; // bytes of the current event that were not added yet

    /** The digest of a shard's payload; 0 without rows. */
    static long of(Payload payload) {
        RowsDigest digest = new RowsDigest();
        try (Payload.Cursor cursor = payload.open()) {
            for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                int from = range.position();
                while (from < range.limit()) {
                    if (digest.left == 0) {
                        digest.begin(EventHeader.type(range, from), EventHeader.unsignedSize(range, from));
                    }
                    from += digest.add(range, from, range.limit());
                }
            }
        }
        return digest.sum();
    }

    /** Begins the next transaction. */
    void clear() {
        sum = 0;
        left = 0;
    }

    /**
     * Begins an event.
     *
     * @param size of the event without a checksum
     */
    void begin(int type, long size) {
        isRows = RowsEvent.isRows(type);
        at = 0;
        left = size;
        if (isRows) {
            first.reset();
            second.reset();
            first.update(type);
            second.update(type);
        }
    }

    /** Adds bytes of the event; returns how many belonged to it. */
    int add(ByteBuffer view, int from, int end) {
        int length = (int) Math.min(left, end - from);
        int skipped = (int) Math.min(length, Math.max(0, COUNTED_FROM - at));
        if (isRows && length > skipped) {
            first.update(view.slice(from + skipped, length - skipped));
            second.update(view.slice(from + skipped, length - skipped));
        }
        at += length;
        left -= length;
        if (left == 0 && isRows) {
            sum += first.getValue() << Integer.SIZE | second.getValue();
        }
        return length;
    }

    /** The digest of the events since {@link #clear}; 0 without rows. */
    long sum() {
        return sum;
    }
}
