package io.tributary.replay.stream;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;

/** Receives the transactions of a stream, in its order. A call may block until there is room. For one thread. */
public interface TransactionHandler {
    /** A transaction begins; throws if it is not expected. */
    void begins(Gtid gtid);

    /** Whether what applies the transactions is older than MySQL 8.0. */
    boolean isOldTarget();

    /** How the rows of a table are applied in a transaction. Called for each table map, so an answer must be cheap. */
    RowTreatment treatment(TableName table, ReplayTransaction transaction);

    /** The name that a table has on the target. Called for each table map. */
    default TableName onTarget(TableName table) {
        return table;
    }

    /** A whole transaction of rows; it may have none. */
    void whole(ReplayTransaction transaction);

    /** A transaction that is too large to be held: what was read of it. {@link #piece More} follows, then {@link #end}. */
    void begin(ReplayTransaction transaction);

    /** The next events of the transaction that has begun. */
    void piece(ReplayTransaction transaction, byte[] events);

    /** The end of the transaction that has begun. */
    void end(ReplayTransaction transaction);

    /** A statement, which is a transaction of its own. */
    void statement(StreamStatement statement, ReplayTransaction transaction);

    /**
     * A CREATE TABLE ... SELECT: rows of its transaction follow.
     *
     * @return whether the transaction has begun, as after {@link #begin}; if not, its rows are passed over and it is {@link #whole}
     */
    boolean beginsWith(StreamStatement statement, ReplayTransaction transaction);
}
