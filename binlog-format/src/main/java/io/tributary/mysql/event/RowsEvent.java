package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;

/**
 * Rows that were written, updated or deleted: types 23..25 (version 1: MySQL 5.1 to 5.5, MariaDB), 30..32
 * (version 2) and 39 (updates with partial JSON values): table id u48, flags u16; from version 2 on the length of the extra data
 * u16 (including itself) and the extra data; number of columns; a bitmap of the columns in the row images, for updates one for the image
 * before and one for the image after; then the rows to the end (compressed in types 166..171, see {@code CompressedEvent}), (Rows_event in libbinlogevents/include/rows_event.h).
 */
public final class RowsEvent {
    /** Flag: the last rows event of a statement; the table maps before it are no longer valid. */
    public static final int STMT_END_F = 0x1;
    /** Flag: foreign keys are not checked. */
    public static final int NO_FOREIGN_KEY_CHECKS_F = 0x2;
    /** Flag: unique keys are not checked. */
    public static final int RELAXED_UNIQUE_CHECKS_F = 0x4;
    /** Flag: every row has all columns. */
    public static final int COMPLETE_ROWS_F = 0x8;

    /** Additional bytes of version 2 without extra data. */
    public static final int NO_EXTRA_LENGTH = 2;

    private static final int TABLE_ID_AT = EventHeader.LENGTH;
    private static final int FLAGS_AT = TABLE_ID_AT + 6;
    private static final int EXTRA_LENGTH_AT = FLAGS_AT + 2;
    private static final int TO_VERSION_2 = EventType.WRITE_ROWS_EVENT - EventType.WRITE_ROWS_EVENT_V1;
    private static final int MAX_COLUMNS = 4096;

    private RowsEvent() {}

    /** Rejects a rows event that is truncated before its rows; the rows themselves are not checked. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, EXTRA_LENGTH_AT - EventHeader.LENGTH, "rows");
        if (!isVersion1(view, at)) {
            Malformed.room(view, at, end, at + EXTRA_LENGTH_AT, NO_EXTRA_LENGTH, "length of extra data");
            int extra = LittleEndian.getU16(view, at + EXTRA_LENGTH_AT);
            if (extra < NO_EXTRA_LENGTH) {
                throw Malformed.event(view, at, "at least 2 bytes of extra data", Integer.toString(extra));
            }
            Malformed.room(view, at, end, at + EXTRA_LENGTH_AT, extra, "extra data");
        }
        int columnCountAt = columnCountAt(view, at);
        Malformed.packed(view, at, end, columnCountAt, "number of columns");
        long columns = PackedInteger.get(view, columnCountAt);
        if (columns < 0 || columns > MAX_COLUMNS) {
            throw Malformed.event(view, at, "at most 4096 columns", Long.toString(columns));
        }
        int bitmaps = bitmapLength(view, at) * (isUpdate(view, at) ? 2 : 1);
        Malformed.room(view, at, end, columnsAt(view, at), bitmaps, "bitmaps of columns");
    }

    /** Makes the head of an event that writes rows one that deletes them: both have one image of each row. */
    public static void writeToDelete(ByteBuffer buf, int at) {
        EventHeader.setType(
                buf, at, EventHeader.type(buf, at) + EventType.DELETE_ROWS_EVENT - EventType.WRITE_ROWS_EVENT);
    }

    /** Whether events of this type contain rows. */
    public static boolean isRows(int type) {
        return EventType.category(type) == EventCategory.ROWS;
    }

    /** Compressed types do not count. */
    public static boolean isWrite(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        return type == EventType.WRITE_ROWS_EVENT || type == EventType.WRITE_ROWS_EVENT_V1;
    }

    /** Partial updates count. */
    public static boolean isUpdate(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        return type == EventType.UPDATE_ROWS_EVENT
                || type == EventType.UPDATE_ROWS_EVENT_V1
                || type == EventType.UPDATE_ROWS_COMPRESSED_EVENT
                || type == EventType.UPDATE_ROWS_COMPRESSED_EVENT_V1
                || isPartial(type);
    }

    /** Compressed types do not count. */
    public static boolean isDelete(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        return type == EventType.DELETE_ROWS_EVENT || type == EventType.DELETE_ROWS_EVENT_V1;
    }

    /** 0..2^48-1. */
    public static long tableId(ByteBuffer view, int at) {
        return LittleEndian.getU48(view, at + TABLE_ID_AT);
    }

    /** Sets it, 0..2^48-1. */
    public static void setTableId(ByteBuffer buf, int at, long tableId) {
        LittleEndian.putU48(buf, at + TABLE_ID_AT, tableId);
    }

    /** Bits such as {@link #STMT_END_F}. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU16(view, at + FLAGS_AT);
    }

    /** Sets all 16 bits of them. */
    public static void setFlags(ByteBuffer buf, int at, int flags) {
        LittleEndian.putU16(buf, at + FLAGS_AT, flags);
    }

    /**
     * Converts the beginning of an event of version 1 (types 23..25), up to its flags, to version 2: sets the type, and writes the length of
     * the extra data, which is empty; the rest is equal in both versions. The caller sets the size: {@link #NO_EXTRA_LENGTH} more.
     *
     * @return the offset after it
     */
    public static int toVersion2(ByteBuffer buf, int at) {
        EventHeader.setType(buf, at, EventHeader.type(buf, at) + TO_VERSION_2);
        LittleEndian.putU16(buf, at + EXTRA_LENGTH_AT, NO_EXTRA_LENGTH);
        return at + EXTRA_LENGTH_AT + NO_EXTRA_LENGTH;
    }

    /** Whether it is the last one of its statement: the table maps before it are no longer valid. */
    public static boolean endsStatement(ByteBuffer view, int at) {
        return (flags(view, at) & STMT_END_F) != 0;
    }

    /** Columns of the table, 0..4096, whether the images contain them or not. */
    public static int columnCount(ByteBuffer view, int at) {
        return (int) PackedInteger.get(view, columnCountAt(view, at));
    }

    /** Offset of the bitmap of columns in the image before (for a write: after), the lowest bit first. */
    public static int columnsAt(ByteBuffer view, int at) {
        return PackedInteger.end(view, columnCountAt(view, at));
    }

    /** Offset of the bitmap of columns in the image after; for a write or delete the only bitmap. */
    public static int columnsAfterAt(ByteBuffer view, int at) {
        return columnsAt(view, at) + (isUpdate(view, at) ? bitmapLength(view, at) : 0);
    }

    /** Offset of the first row, which may be the event's end. */
    public static int rowsAt(ByteBuffer view, int at) {
        return columnsAfterAt(view, at) + bitmapLength(view, at);
    }

    /** Whether every image has all columns (binlog_row_image=FULL). */
    public static boolean hasAllColumns(ByteBuffer view, int at) {
        int columns = columnCount(view, at);
        boolean all = isFull(view, columnsAt(view, at), columns);
        return all && isFull(view, columnsAfterAt(view, at), columns);
    }

    public static boolean isPartial(int type) {
        return type == EventType.PARTIAL_UPDATE_ROWS_EVENT;
    }

    private static boolean isFull(ByteBuffer view, int bitmapAt, int columns) {
        for (int i = 0; i < columns / 8; i++) {
            if (view.get(bitmapAt + i) != -1) {
                return false;
            }
        }
        int rest = (1 << columns % 8) - 1;
        return rest == 0 || (view.get(bitmapAt + columns / 8) & rest) == rest;
    }

    /** Whether it has no extra data, types 23..25 and 166..168. */
    public static boolean isVersion1(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        return (type >= EventType.WRITE_ROWS_EVENT_V1 && type <= EventType.DELETE_ROWS_EVENT_V1)
                || (type >= EventType.WRITE_ROWS_COMPRESSED_EVENT_V1
                        && type <= EventType.DELETE_ROWS_COMPRESSED_EVENT_V1);
    }

    private static int columnCountAt(ByteBuffer view, int at) {
        int extraAt = at + EXTRA_LENGTH_AT;
        return isVersion1(view, at) ? extraAt : extraAt + LittleEndian.getU16(view, extraAt);
    }

    private static int bitmapLength(ByteBuffer view, int at) {
        return (columnCount(view, at) + 7) / 8;
    }
}
