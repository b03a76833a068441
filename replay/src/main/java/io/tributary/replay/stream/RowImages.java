package io.tributary.replay.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;

/** Finds where the images of a table's rows end. Each image has all columns. Immutable. */
public final class RowImages {
    private static final int[] NO_OFFSETS = new int[0];

    private final TableShape shape;
    private final int[] widths;

    /** @throws TributaryException REPLAY_FAILED for a column of a type that is not known */
    public RowImages(TableShape shape) {
        this.shape = shape;
        widths = new int[shape.columnCount()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = shape.width(i);
            if (widths[i] == TableShape.UNKNOWN_WIDTH) {
                throw new TributaryException(
                        ErrorCode.REPLAY_FAILED,
                        name() + ": expected columns of known types, found type " + shape.type(i) + " of column " + i);
            }
        }
    }

    /** The number of columns of an image. */
    public int columns() {
        return widths.length;
    }

    /** The offset after the image that begins at {@code from}, with its null bitmap; at most {@code end}. */
    int end(ByteBuffer view, int from, int end) {
        return end(view, from, end, NO_OFFSETS);
    }

    /**
     * The same, with the offsets of the values.
     *
     * @param offsets receives the offset at which each value begins, with the length before it, and after the last one the result; a NULL has no
     *     bytes, every other value has at least one; or an empty array
     */
    public int end(ByteBuffer view, int from, int end, int[] offsets) {
        long next = from + (widths.length + 7L) / 8;
        requireBefore(next, end);
        for (int i = 0; i < widths.length; i++) {
            if (offsets.length > 0) {
                offsets[i] = (int) next;
            }
            if ((view.get(from + i / 8) >> i % 8 & 1) != 0) {
                continue;
            }
            int width = widths[i];
            if (width >= 0) {
                next += width;
            } else {
                requireBefore(next - width, end);
                next += prefixed(view, (int) next, -width) - width;
            }
            requireBefore(next, end);
        }
        if (offsets.length > 0) {
            offsets[widths.length] = (int) next;
        }
        return (int) next;
    }

    private static long prefixed(ByteBuffer view, int at, int prefix) {
        return switch (prefix) {
            case 1 -> LittleEndian.getU8(view, at);
            case 2 -> LittleEndian.getU16(view, at);
            case 3 -> LittleEndian.getU24(view, at);
            default -> LittleEndian.getU32(view, at);
        };
    }

    private void requireBefore(long at, int end) {
        if (at > end) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    "rows event of " + name() + ": expected rows as its table map describes, found a row that ends "
                            + (at - end) + " bytes after the event");
        }
    }

    private String name() {
        return shape.schema() + "." + shape.table();
    }
}
