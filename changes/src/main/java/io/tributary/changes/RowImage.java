package io.tributary.changes;

import io.tributary.replay.stream.RowImages;
import java.nio.ByteBuffer;

/** One image of a row: where its values are in the bytes of an event. Used again for each row; for one thread. */
public final class RowImage {
    private int[] offsets = new int[0];
    private ByteBuffer view;

    /** Reads the image at an offset; returns the offset after it. */
    int read(RowImages images, ByteBuffer event, int from, int end) {
        if (offsets.length != images.columns() + 1) {
            offsets = new int[images.columns() + 1];
        }
        view = event;
        return images.end(event, from, end, offsets);
    }

    /** The bytes of the event; only read. */
    public ByteBuffer view() {
        return view;
    }

    /** Whether a value is NULL. */
    public boolean isNull(int column) {
        return offsets[column] == offsets[column + 1];
    }

    /** The offset of a value, or of the length before it. */
    int valueAt(int column) {
        return offsets[column];
    }

    /** The offset after a value. */
    int valueEnd(int column) {
        return offsets[column + 1];
    }
}
