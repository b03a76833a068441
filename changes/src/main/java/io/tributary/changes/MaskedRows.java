package io.tributary.changes;

import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Copies rows events of a table with other values in some columns. For one thread. */
public final class MaskedRows {
    private static final int FIRST_BYTES = 1 << 10;

    private final ChangeTable table;
    private final List<ChangeColumn> columns;
    private final Mask[] masks;
    private final RowImage image = new RowImage();
    private byte[] bytes = new byte[FIRST_BYTES];
    private int used;

    /** Makes the value of a column. */
    public interface Mask {
        /**
         * The stored bytes that replace a value, which is not NULL.
         *
         * @return without the length before them, at most as many as the length can state; null for NULL
         */
        byte[] of(ChangeColumn column, RowImage image);
    }

    /**
     * Prepares a table.
     *
     * @param masks one for each column, null where values stay; only for columns whose values have a length before them, or masks that make NULL
     */
    public MaskedRows(ChangeTable table, List<Mask> masks) {
        this.table = table;
        this.columns = table.columns();
        this.masks = masks.toArray(Mask[]::new);
    }

    /**
     * Copies an event.
     *
     * @param event only read
     * @param at offset of a checked rows event of the table
     * @param end offset after its last row
     * @return the event from 0 to the limit of the buffer, which is valid until the next call
     * @throws io.tributary.common.error.TributaryException REPLAY_FAILED if its images lack columns; EVENT_MALFORMED
     */
    public ByteBuffer of(ByteBuffer event, int at, int end) {
        table.requireWhole(event, at);
        used = 0;
        int next = RowsEvent.rowsAt(event, at);
        copy(event, at, next);
        while (next < end) {
            int from = next;
            next = image.read(table.images(), event, from, end);
            if (next == from) { // images without columns, which RowChange refuses
                copy(event, from, end);
                break;
            }
            image(event, from);
        }
        return ByteBuffer.wrap(bytes, 0, used);
    }

    private void image(ByteBuffer event, int from) {
        int nulls = used;
        copy(event, from, from + (masks.length + 7) / 8);
        for (int i = 0; i < masks.length; i++) {
            if (masks[i] == null || image.isNull(i)) {
                copy(event, image.valueAt(i), image.valueEnd(i));
                continue;
            }
            byte[] value = masks[i].of(columns.get(i), image);
            if (value == null) {
                bytes[nulls + i / 8] |= (byte) (1 << i % 8);
            } else {
                value(value, columns.get(i).prefix());
            }
        }
    }

    private void value(byte[] value, int prefix) {
        room(prefix + value.length);
        for (int i = 0; i < prefix; i++) {
            bytes[used++] = (byte) (value.length >> 8 * i);
        }
        System.arraycopy(value, 0, bytes, used, value.length);
        used += value.length;
    }

    private void copy(ByteBuffer event, int from, int to) {
        room(to - from);
        event.get(from, bytes, used, to - from);
        used += to - from;
    }

    private void room(int more) {
        if (bytes.length - used < more) {
            bytes = Arrays.copyOf(bytes, Math.max(used + more, (int)
                    Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
