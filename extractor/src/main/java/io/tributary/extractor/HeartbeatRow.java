package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;

/**
 * The heartbeat table's one row in an update event: before and after, each a byte of null bits, id in 4 bytes, epoch, round and
 * clock in 8 each.
 */
final class HeartbeatRow {
    private static final int TYPE_LONG = 3;
    private static final int TYPE_LONGLONG = 8;
    private static final int ROUND_AT = 1 + Integer.BYTES + Long.BYTES;
    private static final int CLOCK_AT = ROUND_AT + Long.BYTES;
    private static final int IMAGE_LENGTH = CLOCK_AT + Long.BYTES;

    private HeartbeatRow() {}

    /** Refuses a heartbeat table of another shape. */
    static void checkTable(ByteBuffer view, int at) {
        int types = TableMapEvent.typesAt(view, at);
        boolean fits = TableMapEvent.columnCount(view, at) == HeartbeatTable.COLUMNS
                && view.get(types) == TYPE_LONG
                && view.get(types + 1) == TYPE_LONGLONG
                && view.get(types + 2) == TYPE_LONGLONG
                && view.get(types + 3) == TYPE_LONGLONG;
        if (!fits) {
            throw unfit("id INT and epoch, round, clock BIGINT UNSIGNED", "columns of other types");
        }
    }

    /** Whether the event's last row raises the round: else it is a takeover, or the row was put in. */
    static boolean raisesRound(ByteBuffer view, int at, int end) {
        if (!RowsEvent.isUpdate(view, at)) {
            return false;
        }
        if (!RowsEvent.hasAllColumns(view, at)) {
            throw unfit("full row images", "images with some columns only: set binlog_row_image = FULL");
        }
        int rows = end - RowsEvent.rowsAt(view, at);
        if (rows == 0 || rows % (2 * IMAGE_LENGTH) != 0) {
            throw unfit("images of " + IMAGE_LENGTH + " bytes", rows + " bytes of images");
        }
        return round(view, end) > LittleEndian.getLong(view, end - 2 * IMAGE_LENGTH + ROUND_AT);
    }

    /** The round's number after the update. */
    static long round(ByteBuffer view, int end) {
        return LittleEndian.getLong(view, end - IMAGE_LENGTH + ROUND_AT);
    }

    /** The writer's clock, µs since 1970, after the update. */
    static long clock(ByteBuffer view, int end) {
        return LittleEndian.getLong(view, end - IMAGE_LENGTH + CLOCK_AT);
    }

    private static TributaryException unfit(String expected, String found) {
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "tributary.heartbeat: expected " + expected + ", found " + found
                        + "; drop the table, and Tributary makes it again");
    }
}
