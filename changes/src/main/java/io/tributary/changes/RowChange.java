package io.tributary.changes;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;

/**
 * The rows of an event, one after another. Used again for each event; for one thread.
 *
 * <pre>{@code
 * change.begin(table, view, at, end);
 * while (change.next()) {
 *     ... change.after() ...
 * }
 * }</pre>
 */
public final class RowChange {
    private final RowImage first = new RowImage();
    private final RowImage second = new RowImage();
    private ChangeTable table;
    private boolean isUpdate;
    private Operation operation;
    private ByteBuffer view;
    private int next;
    private int end;
    private int row;

    /**
     * Begins with the rows of an event.
     *
     * @param event only read
     * @param at offset of a checked rows event of the table
     * @param limit offset after its last row
     * @throws TributaryException REPLAY_FAILED if its images lack columns; EVENT_MALFORMED
     */
    public void begin(ChangeTable of, ByteBuffer event, int at, int limit) {
        table = of;
        view = event;
        end = limit;
        row = -1;
        isUpdate = RowsEvent.isUpdate(event, at);
        operation = isUpdate ? Operation.UPDATE : RowsEvent.isDelete(event, at) ? Operation.DELETE : Operation.INSERT;
        table.requireWhole(event, at);
        next = RowsEvent.rowsAt(event, at);
    }

    /** Moves to the next row; false after the last one. */
    public boolean next() {
        if (next >= end) {
            return false;
        }
        int from = next;
        next = first.read(table.images(), view, from, end);
        if (isUpdate) {
            operation = Operation.UPDATE;
            next = second.read(table.images(), view, next, end);
        }
        if (next == from) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    "rows of " + table.name() + ": expected rows of at least one byte, found images without columns");
        }
        row++;
        return true;
    }

    public ChangeTable table() {
        return table;
    }

    public Operation operation() {
        return operation;
    }

    /** Presents the current UPDATE as a DELETE of the row before it, until {@link #next} or {@link #asInsert}. */
    public void asDelete() {
        requireUpdate();
        operation = Operation.DELETE;
    }

    /** Presents the current UPDATE as an INSERT of the row after it, until {@link #next}. */
    public void asInsert() {
        requireUpdate();
        operation = Operation.INSERT;
    }

    private void requireUpdate() {
        if (!isUpdate) {
            throw new IllegalStateException("expected an UPDATE, found " + operation);
        }
    }

    /** The number of the row in its event, from 0. */
    public int row() {
        return row;
    }

    /** The row as it was; only for UPDATE and DELETE. */
    public RowImage before() {
        return first;
    }

    /** The row as it is; only for INSERT and UPDATE. */
    public RowImage after() {
        return isUpdate ? second : first;
    }

    /** The row as it is; of a DELETE as it was. */
    public RowImage newest() {
        return operation == Operation.DELETE ? first : after();
    }
}
