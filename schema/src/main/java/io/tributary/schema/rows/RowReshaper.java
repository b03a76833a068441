package io.tributary.schema.rows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.schema.rows.convert.Output;
import io.tributary.schema.rows.convert.RowBytes;
import java.nio.ByteBuffer;

/**
 * Rewrites rows events by a {@link ReshapePlan.Total}. An instance is for one thread and keeps buffers between calls.
 *
 * <p>An image with all columns of the source has all columns of the target. One that lacks some (binlog_row_image other than FULL)
 * lacks them in the target too; constants are then put only into images of written rows, because an update does not change the column
 * on a replica, and a row is found without it. Extra data, flags, log_pos and timestamps are not changed.
 */
public final class RowReshaper {
    private static final long GATHERED = 1 << 20;
    private static final long MOST_GATHERED = 8 << 20;
    private static final long MOST_EVENT = 1 << 30;
    private static final int PARTIAL_JSON_UPDATES = 1;

    private static final byte VALUE = 0;
    private static final byte NULL = 1;
    private static final byte ABSENT = 2;

    private final RowBytes bytes = new RowBytes();
    /** The offset of each source value, and after the last one the end of the image. */
    private int[] begins = new int[65];
    /** Whether each source column has a value, is null, or is not in the image. */
    private byte[] states = new byte[64];

    private ByteBuffer source;
    private int end;
    private ReshapePlan.Total plan;

    /**
     * Rewrites one rows event of type 23..25, 30..32 or 39, which {@link RowsEvent#check} has accepted. Large events are read twice and never
     * copied as a whole. If it throws, {@code out} has received nothing.
     *
     * @param event from 0 to its limit, without its checksum; read only
     * @param tableId the target's, 0..2^48-1
     * @param out receives the event with its size set and without checksum
     * @return bytes of the event
     * @throws TributaryException {@code VALUE_UNCONVERTIBLE} if a value does not convert: names table and column, not the value; {@code
     *     PAYLOAD_TOO_LARGE} above 1 GiB; {@code EVENT_MALFORMED} if the rows do not match the source's table map
     */
    public long reshape(ByteBuffer event, ReshapePlan.Total plan, long tableId, Output out) {
        begin(event, plan);
        long bound = end * (1L + plan.growth);
        if (end <= GATHERED && bound <= MOST_GATHERED) {
            bytes.gather();
            write(tableId, 0);
            EventHeader.setSize(bytes.gathered(), 0, checked(bytes.total()));
            out.write(bytes.gathered(), 0, (int) bytes.total());
        } else {
            bytes.count();
            write(tableId, 0);
            bytes.flush();
            int size = checked(bytes.total());
            bytes.hand(out);
            write(tableId, size);
            bytes.flush();
        }
        source = null;
        return bytes.total();
    }

    private void begin(ByteBuffer view, ReshapePlan.Total by) {
        source = view;
        end = view.limit();
        plan = by;
        int columns = by.widths.length;
        if (RowsEvent.columnCount(view, 0) != columns) {
            throw malformed(columns + " columns as in the table map", Integer.toString(RowsEvent.columnCount(view, 0)));
        }
        if (states.length < columns) {
            states = new byte[columns];
            begins = new int[columns + 1];
        }
    }

    private int checked(long size) {
        if (size > MOST_EVENT) {
            throw new TributaryException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "rows event of " + plan.table + ": expected at most 1 GiB after the change of its columns, found "
                            + size + " bytes");
        }
        return (int) size;
    }

    private void write(long tableId, int size) {
        int type = EventHeader.type(source, 0);
        boolean partial = type == EventType.PARTIAL_UPDATE_ROWS_EVENT;
        boolean writes = RowsEvent.isWrite(source, 0);
        boolean hasBefore = !writes;
        boolean hasAfter = !RowsEvent.isDelete(source, 0);
        head(tableId, size);
        int beforeAt = RowsEvent.columnsAt(source, 0);
        int afterAt = RowsEvent.columnsAfterAt(source, 0);
        boolean beforeFull = isFull(beforeAt);
        boolean afterFull = isFull(afterAt);
        bitmap(beforeAt, beforeFull, writes);
        if (hasBefore && hasAfter) {
            bitmap(afterAt, afterFull, false);
        }
        int next = RowsEvent.rowsAt(source, 0);
        while (next < end) {
            int row = next;
            if (hasBefore) {
                next = image(next, beforeAt, beforeFull, false, false);
            }
            if (hasAfter) {
                next = image(next, afterAt, afterFull, writes, partial);
            }
            if (next == row) {
                throw malformed("rows of at least one byte", "images without columns");
            }
        }
    }

    /** Writes everything before the bitmaps. */
    private void head(long tableId, int size) {
        int columnsAt = RowsEvent.columnsAt(source, 0);
        int width = PackedInteger.length(plan.widths.length);
        int length = columnsAt - width;
        if (length <= 0 || PackedInteger.get(source, columnsAt - width) != plan.widths.length) {
            throw malformed("a number of columns in its shortest form", "another");
        }
        bytes.room(length + PackedInteger.MAX_LENGTH);
        ByteBuffer buf = bytes.buffer();
        int to = bytes.at();
        buf.put(to, source, 0, length);
        EventHeader.setSize(buf, to, size);
        RowsEvent.setTableId(buf, to, tableId);
        PackedInteger.put(buf, to + length, plan.ops.length);
        bytes.advance(length + PackedInteger.length(plan.ops.length));
    }

    private boolean isFull(int bitmapAt) {
        for (int i = 0; i < plan.widths.length; i++) {
            if (!bit(bitmapAt, i)) {
                return false;
            }
        }
        return true;
    }

    private void bitmap(int bitmapAt, boolean full, boolean writes) {
        ColumnOp[] ops = plan.ops;
        boolean had = false;
        boolean has = false;
        for (int i = 0; i < plan.widths.length; i++) {
            had |= bit(bitmapAt, i);
        }
        int bits = 0xff;
        for (int j = 0; j < ops.length; j++) {
            int from = ops[j].source();
            boolean present = full || (from < 0 ? writes : bit(bitmapAt, from));
            has |= present;
            bits = present ? bits : bits & ~(1 << j % 8);
            if (j % 8 == 7 || j == ops.length - 1) {
                bytes.putU8(bits);
                bits = 0xff;
            }
        }
        boolean finds = bitmapAt == RowsEvent.columnsAt(source, 0) && !writes;
        if (finds && had && !has) {
            throw new TributaryException(
                    ErrorCode.VALUE_UNCONVERTIBLE,
                    "rows event of " + plan.table
                            + ": expected columns that the table still has in the image before, found none; set binlog_row_image=FULL");
        }
    }

    private int image(int from, int bitmapAt, boolean full, boolean writes, boolean mayBePartial) {
        int next = from;
        int partialAt = -1;
        if (mayBePartial) {
            room(next, 1);
            int first = LittleEndian.getU8(source, next);
            int length = PackedInteger.lengthByFirst(first);
            if (length == 0) {
                throw malformed("length-encoded options of a partial update", "first byte " + first);
            }
            room(next, length);
            long options = PackedInteger.get(source, next);
            bytes.copy(source, next, length);
            next += length;
            if ((options & PARTIAL_JSON_UPDATES) != 0) {
                partialAt = next;
                next += (count(plan.sourceIsJson) + 7) / 8;
                room(partialAt, next - partialAt);
                partialBits(partialAt);
            }
        }
        int after = locate(next, bitmapAt, full);
        nulls(full, writes);
        values(full, writes);
        return after;
    }

    /** Writes which JSON columns of the target have differences as values. */
    private void partialBits(int partialAt) {
        int bits = 0;
        int index = 0;
        for (int j = 0; j < plan.ops.length; j++) {
            if (plan.targetIsJson[j]) {
                int from = plan.ops[j].source();
                boolean set = from >= 0 && bit(partialAt, jsonIndex(from));
                bits |= set ? 1 << index % 8 : 0;
                index++;
                if (index % 8 == 0) {
                    bytes.putU8(bits);
                    bits = 0;
                }
            }
        }
        if (index % 8 != 0) {
            bytes.putU8(bits);
        }
    }

    private int jsonIndex(int column) {
        int index = 0;
        for (int i = 0; i < column; i++) {
            index += plan.sourceIsJson[i] ? 1 : 0;
        }
        return index;
    }

    private static int count(boolean[] flags) {
        int count = 0;
        for (boolean flag : flags) {
            count += flag ? 1 : 0;
        }
        return count;
    }

    /** Finds the values of an image whose null bitmap begins there; returns the offset after it. */
    private int locate(int nullsAt, int bitmapAt, boolean full) {
        int[] widths = plan.widths;
        int present = widths.length;
        if (!full) {
            present = 0;
            for (int i = 0; i < widths.length; i++) {
                present += bit(bitmapAt, i) ? 1 : 0;
            }
        }
        int next = nullsAt + (present + 7) / 8;
        room(nullsAt, next - nullsAt);
        int index = 0;
        for (int i = 0; i < widths.length; i++) {
            begins[i] = next;
            if (!full && !bit(bitmapAt, i)) {
                states[i] = ABSENT;
                continue;
            }
            if (bit(nullsAt, index++)) {
                states[i] = NULL;
                continue;
            }
            states[i] = VALUE;
            int width = widths[i];
            long length = width;
            if (width < 0) {
                room(next, -width);
                length = -width + prefixed(next, -width);
            }
            room(next, length);
            next += (int) length;
        }
        begins[widths.length] = next;
        return next;
    }

    private long prefixed(int at, int prefix) {
        return switch (prefix) {
            case 1 -> LittleEndian.getU8(source, at);
            case 2 -> LittleEndian.getU16(source, at);
            case 3 -> LittleEndian.getU24(source, at);
            default -> LittleEndian.getU32(source, at);
        };
    }

    private void nulls(boolean full, boolean writes) {
        ColumnOp[] ops = plan.ops;
        int bits = 0;
        int index = 0;
        bytes.room((ops.length + 7) / 8);
        ByteBuffer buf = bytes.buffer();
        int to = bytes.at();
        for (ColumnOp op : ops) {
            int from = op.source();
            if (from < 0 ? !full && !writes : states[from] == ABSENT) {
                continue;
            }
            boolean isNull = from < 0 ? op.constant() == null : states[from] == NULL;
            if (isNull && op.refusesNull()) {
                throw unconvertible(op);
            }
            bits |= isNull ? 1 << index % 8 : 0;
            if (++index % 8 == 0) {
                buf.put(to++, (byte) bits);
                bits = 0;
            }
        }
        if (index % 8 != 0) {
            buf.put(to, (byte) bits);
        }
        bytes.advance((index + 7) / 8);
    }

    private void values(boolean full, boolean writes) {
        ColumnOp[] ops = plan.ops;
        for (int j = 0; j < ops.length; j++) {
            ColumnOp op = ops[j];
            int from = op.source();
            switch (op.kind()) {
                case COPY -> {
                    bytes.copy(source, begins[from], begins[from + op.run()] - begins[from]);
                    j += op.run() - 1;
                }
                case PREFIX -> {
                    if (states[from] == VALUE) {
                        int begin = begins[from] + op.fromPrefix();
                        bytes.putLittle((long) begins[from + 1] - begin, op.toPrefix());
                        bytes.copy(source, begin, begins[from + 1] - begin);
                    }
                }
                case CONVERT -> {
                    if (states[from] == VALUE
                            && !op.conversion().convert(source, begins[from], begins[from + 1], bytes)) {
                        throw unconvertible(op);
                    }
                }
                case CONST -> {
                    if (op.constant() != null && (full || writes)) {
                        bytes.put(op.constant());
                    }
                }
            }
        }
    }

    private boolean bit(int bitmapAt, int bit) {
        return (source.get(bitmapAt + bit / 8) >> bit % 8 & 1) != 0;
    }

    private void room(int from, long length) {
        if (length > (long) end - from) {
            throw malformed(length + " bytes at byte " + from, (end - from) + " before the event's end");
        }
    }

    private TributaryException unconvertible(ColumnOp op) {
        return new TributaryException(
                ErrorCode.VALUE_UNCONVERTIBLE,
                "rows event of " + plan.table + ": expected a value that the current definition of column " + op.name()
                        + " can store, found one that it cannot store");
    }

    private TributaryException malformed(String expected, String found) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED,
                EventType.name(EventHeader.type(source, 0)) + " of " + plan.table + ", log_pos "
                        + EventHeader.logPos(source, 0) + ": expected " + expected + ", found " + found);
    }
}
