package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.common.gtid.GtidSet;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;

/**
 * What the target has executed of the stream: it is committed together with the rows, so that each transaction is applied exactly once. In strict order
 * it also makes a transaction fail that would commit before the one that precedes it. Methods with a session are called by its thread, others by one.
 */
public interface ApplyProgress {
    /** The transactions that need not be applied; read at the beginning of a run. */
    GtidSet executed();

    /** The number of the transaction that was applied last, in strict order; 0 if it is not known. */
    long previous();

    /**
     * Adds all statements of a batch.
     *
     * @param turn the order of the sessions
     */
    void add(StatementPacket packet, ApplyBatch batch, RowForm rows, Turn turn);

    /** Begins a transaction that is applied alone, in pieces. */
    void begin(SqlSession session, ReplayTransaction transaction);

    /**
     * Commits it.
     *
     * @param before number of the transaction before it in the stream
     */
    void commit(SqlSession session, long before, ReplayTransaction transaction);

    /**
     * Executes a statement as the transaction that it is in the stream.
     *
     * @param before number of the transaction before it in the stream
     * @throws io.tributary.common.error.TributaryException TARGET_FAILED, TARGET_UNREACHABLE
     */
    void execute(SqlSession session, long before, ApplyStatement statement, ReplayTransaction transaction);

    /**
     * Executes a CREATE TABLE ... SELECT, whose rows follow. Errors as for {@link #execute}.
     *
     * @return whether its transaction is open in the session; else {@link #begin} must begin it
     */
    boolean beginWith(SqlSession session, ApplyStatement statement, ReplayTransaction transaction);

    /** These transactions, and all before them, were applied since the last call. */
    void checkpoint(GtidSet applied);
}
