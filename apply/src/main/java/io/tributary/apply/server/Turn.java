package io.tributary.apply.server;

import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.replay.session.SqlSession;

/**
 * The order in which sessions commit: a chain of named locks on the server, so that a session continues without a round trip when the one before it
 * has committed. The session that will apply a batch holds the batch's lock from its previous batch on. It commits after it got the lock of the batch
 * before, and then takes the lock of its next batch before it releases that of this one, so that nobody overtakes.
 *
 * <p>The locks only make sessions wait. They are lost with a connection, so the order itself is checked in each transaction: see {@link
 * ApplyProgress}.
 */
public interface Turn {
    /** Sessions commit as soon as they can. */
    Turn NONE = new Turn() {
        @Override
        public void open(SqlSession session, int index) {
            // nobody waits
        }

        @Override
        public void await(StatementPacket packet, ApplyBatch batch) {
            // nobody waits
        }

        @Override
        public void pass(StatementPacket packet, ApplyBatch batch) {
            // nobody waits
        }
    };

    /** A session, from 0, begins; it waits for nothing. */
    void open(SqlSession session, int index);

    /** Adds what waits until the batch before has committed. It fails if that takes long. */
    void await(StatementPacket packet, ApplyBatch batch);

    /** Adds what lets the next batch commit, after the end of the transaction. */
    void pass(StatementPacket packet, ApplyBatch batch);
}
