package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;

/**
 * The reader of the heartbeat table's one row in an update event. The images before and after each have a byte of null bits, id in 4 bytes,
 * and epoch, round, clock and, if the table has it, tso in 8 bytes each.
 */
final class HeartbeatRow {
    private static final int TYPE_LONG = 3;
    private static final int TYPE_LONGLONG = 8;
    private static final int ROUND_AT = 1 + Integer.BYTES + Long.BYTES;

    /** Index of the column; clock and tso follow. */
    private static final int ROUND = 2;

    private HeartbeatRow() {}

    /** Refuses a heartbeat table with other columns. */
    static void checkTable(ByteBuffer view, int at) {
        int types = TableMapEvent.typesAt(view, at);
        int columns = TableMapEvent.columnCount(view, at);
        boolean fits = columns >= HeartbeatTable.FEWEST_COLUMNS && columns <= HeartbeatTable.COLUMNS;
        for (int i = 0; fits && i < columns; i++) {
            fits = view.get(types + i) == (i == 0 ? TYPE_LONG : TYPE_LONGLONG);
        }
        if (!fits) {
            throw unfit("id INT and epoch, round, clock, tso BIGINT UNSIGNED", "columns of other types");
        }
    }

    /**
     * Whether the event's last row increases the round; otherwise it is a takeover, or the row was inserted. If binlog_row_image is not FULL, the
     * image after has the columns that the statement has set, and the round is one of them.
     */
    static boolean raisesRound(ByteBuffer view, int at, int end) {
        if (!RowsEvent.isUpdate(view, at)) {
            return false;
        }
        if (!RowsEvent.hasAllColumns(view, at)) {
            return offsetAfter(view, at, end, ROUND) >= 0;
        }
        int image = imageLength(view, at);
        int rows = end - RowsEvent.rowsAt(view, at);
        if (rows == 0 || rows % (2 * image) != 0) {
            throw unfit("images of " + image + " bytes", rows + " bytes of images");
        }
        return LittleEndian.getLong(view, end - image + ROUND_AT)
                > LittleEndian.getLong(view, end - 2 * image + ROUND_AT);
    }

    /** Passes the round to the transaction: its number, the writer's clock, and the TSO that it makes certain, as after the update. */
    static void read(ByteBuffer view, int at, int end, TransactionState open) {
        open.roundRead(value(view, at, end, ROUND), value(view, at, end, ROUND + 1), value(view, at, end, ROUND + 2));
    }

    private static long value(ByteBuffer view, int at, int end, int column) {
        int offset = offsetAfter(view, at, end, column);
        return offset < 0 ? 0 : LittleEndian.getLong(view, offset);
    }

    /** The offset of a column's value in the last row's image after; -1 if the image does not have it. */
    private static int offsetAfter(ByteBuffer view, int at, int end, int column) {
        int columns = RowsEvent.columnCount(view, at);
        int after = 0;
        for (int i = columns - 1; i >= column; i--) {
            after += isInImageAfter(view, at, i) ? bytes(i) : 0;
        }
        return column < columns && isInImageAfter(view, at, column) ? end - after : -1;
    }

    private static boolean isInImageAfter(ByteBuffer view, int at, int column) {
        return (view.get(RowsEvent.columnsAfterAt(view, at) + column / 8) >> column % 8 & 1) != 0;
    }

    private static int bytes(int column) {
        return column == 0 ? Integer.BYTES : Long.BYTES;
    }

    private static int imageLength(ByteBuffer view, int at) {
        return 1 + Integer.BYTES + (RowsEvent.columnCount(view, at) - 1) * Long.BYTES;
    }

    private static TributaryException unfit(String expected, String found) {
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "tributary.heartbeat: expected " + expected + ", found " + found
                        + "; drop the table, and Tributary creates it again");
    }
}
