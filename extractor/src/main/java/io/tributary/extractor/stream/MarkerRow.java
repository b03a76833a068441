package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.TableName;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;

/**
 * The reader of rows of the marker table (order.tso.table). Its columns are integers that are not null. The last one is a BIGINT: the commit
 * timestamp of the transaction that inserts or updates the row. Every row image has the same length. Deleted rows are ignored.
 */
final class MarkerRow {
    private static final int TYPE_TINY = 1;
    private static final int TYPE_SHORT = 2;
    private static final int TYPE_LONG = 3;
    private static final int TYPE_LONGLONG = 8;
    private static final int TYPE_INT24 = 9;

    private MarkerRow() {}

    /**
     * Bytes of a row image.
     *
     * @param view a table map of the marker table
     * @throws TributaryException SHARD_UNFIT if the table has other columns
     */
    static int imageLength(ByteBuffer view, int at) {
        int columns = TableMapEvent.columnCount(view, at);
        int types = TableMapEvent.typesAt(view, at);
        int length = (columns + 7) / 8;
        for (int i = 0; i < columns; i++) {
            int bytes = bytes(view.get(types + i));
            if (bytes == 0) {
                throw unfit(view, at, "column " + (i + 1) + " is not an integer");
            }
            length += bytes;
        }
        if (columns == 0 || view.get(types + columns - 1) != TYPE_LONGLONG) {
            throw unfit(view, at, "the last column is not a BIGINT");
        }
        return length;
    }

    private static int bytes(int type) {
        return switch (type) {
            case TYPE_TINY -> 1;
            case TYPE_SHORT -> 2;
            case TYPE_INT24 -> 3;
            case TYPE_LONG -> 4;
            case TYPE_LONGLONG -> 8;
            default -> 0;
        };
    }

    /** Passes to the transaction the TSO of each row that the event inserts, or of the image after an update. */
    static void read(ByteBuffer view, int at, int end, int imageLength, TransactionState open) {
        if (RowsEvent.isDelete(view, at)) {
            return;
        }
        int images = RowsEvent.isUpdate(view, at) ? 2 : 1;
        int rows = RowsEvent.rowsAt(view, at);
        if (!RowsEvent.hasAllColumns(view, at) || (end - rows) % (images * imageLength) != 0) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "the marker table (order.tso.table): expected rows of " + imageLength
                            + " bytes with all columns and no NULL, found " + (end - rows)
                            + " bytes: set binlog_row_image = FULL, and its columns NOT NULL");
        }
        for (int after = rows + images * imageLength; after <= end; after += images * imageLength) {
            open.commitTso(LittleEndian.getLong(view, after - Long.BYTES));
        }
    }

    private static TributaryException unfit(ByteBuffer view, int at, String found) {
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "the marker table (order.tso.table) " + name
                        + ": expected integer columns, the last one BIGINT UNSIGNED NOT NULL, found that " + found);
    }
}
