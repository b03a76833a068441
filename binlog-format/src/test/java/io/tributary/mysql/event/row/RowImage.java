package io.tributary.mysql.event.row;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;

/**
 * Decodes row images into plain values: the only class that interprets rows; for heartbeat rows, checkers and tests.
 * Each image is a null bitmap (a bit for each column in the image) and the values that are not null (unpack_row in
 * sql/rpl_record.cc).
 *
 * <p>Values: integers, YEAR, BIT, ENUM (number) and SET (bits) as Long, BIGINT UNSIGNED above 2^63-1 as BigInteger, FLOAT as Float, DOUBLE
 * as Double, DECIMAL as BigDecimal; DATE, TIME, DATETIME, TIMESTAMP (in UTC) as String in MySQL's text form; CHAR, VARCHAR, TEXT as String if
 * the table map names a collation of utf8, ascii or latin1; all others (binary strings, JSON in MySQL's binary form, geometry, vectors, text
 * of another or unknown character set) as byte[]; a partial update of a JSON value as {@link JsonDiff}; NULL as null.
 */
public final class RowImage {
    /** The value of a column that is not in the image (binlog_row_image other than FULL). */
    public static final Object ABSENT = new Object() {
        @Override
        public String toString() {
            return "absent";
        }
    };

    private static final int PARTIAL_JSON_UPDATES = 1;

    private RowImage() {}

    /** The differences to a JSON value, in MySQL's binary form (Json_diff_vector::write_binary in sql/json_diff.cc). */
    public record JsonDiff(byte[] bytes) {}

    /** Receives rows. */
    public interface Sink {
        /**
         * Receives one row.
         *
         * @param before its values before the change, by column; null for a written row; valid until the method returns
         * @param after its values after the change, by column; null for a deleted row; valid until the method returns
         */
        void row(Object[] before, Object[] after);
    }

    /**
     * Decodes all rows of a checked rows event.
     *
     * @param shape the current table map for the event's table id
     * @throws TributaryException {@code EVENT_MALFORMED} if the rows do not match the shape
     */
    public static void forEach(ByteBuffer view, int at, int end, TableShape shape, Sink sink) {
        int columns = RowsEvent.columnCount(view, at);
        if (columns != shape.columnCount()) {
            throw Malformed.event(
                    view, at, shape.columnCount() + " columns as in the table map", Integer.toString(columns));
        }
        boolean partial = RowsEvent.isPartial(EventHeader.type(view, at));
        Object[] before = RowsEvent.isWrite(view, at) ? null : new Object[columns];
        Object[] after = RowsEvent.isDelete(view, at) ? null : new Object[columns];
        int next = RowsEvent.rowsAt(view, at);
        while (next < end) {
            int start = next;
            if (before != null) {
                next = image(view, at, end, next, RowsEvent.columnsAt(view, at), shape, false, before);
            }
            if (after != null) {
                next = image(view, at, end, next, RowsEvent.columnsAfterAt(view, at), shape, partial, after);
            }
            if (next == start) {
                throw Malformed.event(view, at, "rows of at least one byte", "images without columns");
            }
            sink.row(before, after);
        }
    }

    private static int image(
            ByteBuffer view,
            int at,
            int end,
            int from,
            int columnsAt,
            TableShape shape,
            boolean mayBePartial,
            Object[] values) {
        int next = from;
        int partialAt = -1;
        if (mayBePartial) {
            int optionsLength = Malformed.packed(view, at, end, next, "options of a partial update");
            long options = PackedInteger.get(view, next);
            next += optionsLength;
            if ((options & PARTIAL_JSON_UPDATES) != 0) {
                partialAt = next;
                next += (jsonColumns(shape) + 7) / 8;
            }
        }
        int nulls = next;
        int present = 0;
        for (int i = 0; i < values.length; i++) {
            present += bit(view, columnsAt, i) ? 1 : 0;
        }
        next += (present + 7) / 8;
        Malformed.room(view, at, end, from, next - from, "bitmap of nulls");
        int index = 0;
        int json = 0;
        for (int i = 0; i < values.length; i++) {
            boolean isJson = shape.type(i) == ColumnType.MYSQL_TYPE_JSON;
            boolean diff = isJson && partialAt >= 0 && bit(view, partialAt, json);
            json += isJson ? 1 : 0;
            if (!bit(view, columnsAt, i)) {
                values[i] = ABSENT;
            } else if (bit(view, nulls, index++)) {
                values[i] = null;
            } else {
                int behind = ColumnValue.behind(view, at, end, next, shape, i);
                values[i] = ColumnValue.read(view, at, next, behind, shape, i);
                values[i] = diff ? new JsonDiff((byte[]) values[i]) : values[i];
                next = behind;
            }
        }
        return next;
    }

    private static int jsonColumns(TableShape shape) {
        int count = 0;
        for (int i = 0; i < shape.columnCount(); i++) {
            count += shape.type(i) == ColumnType.MYSQL_TYPE_JSON ? 1 : 0;
        }
        return count;
    }

    private static boolean bit(ByteBuffer view, int bitmapAt, int bit) {
        return (LittleEndian.getU8(view, bitmapAt + bit / 8) >> bit % 8 & 1) != 0;
    }
}
