package io.tributary.changes;

import io.tributary.common.value.TableName;
import java.nio.ByteBuffer;

/** Receives the transactions of a binlog, in its order. A call may block until there is room. For one thread. */
public interface ChangeHandler {
    /** Whether the rows of a table are wanted. */
    boolean wants(TableName table);

    /** A transaction begins; throws if it is not expected. */
    void begin(ChangeTransaction transaction);

    /**
     * Rows of the transaction.
     *
     * @param view only read, and only during the call
     * @param at offset of a rows event
     * @param end offset after its last row, without a checksum
     */
    void rows(ChangeTable table, ByteBuffer view, int at, int end);

    /** A statement of the transaction; statements that only begin or end a transaction are not passed on. */
    void statement(ChangeStatement statement);

    /**
     * The transaction has ended.
     *
     * @param file the binlog file of its end
     * @param position the offset after its last event
     */
    void end(String file, long position);
}
