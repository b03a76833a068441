package io.tributary.apply.server;

import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.replay.session.SqlSession;

/** The sessions commit in the order of the batches, by named locks of the server (MySQL 5.7 and MariaDB 10.0.2 or later). */
final class LockChain implements Turn {
    /** A batch before that waits for a row lock of a later one gets it after this time, s. */
    private static final int WAIT_SECONDS = 3;

    private final String run;
    private final int sessions;

    /** @param run distinguishes the locks from those of other runs on the server */
    LockChain(String run, int sessions) {
        this.run = run;
        this.sessions = sessions;
    }

    @Override
    public void open(SqlSession session, int index) {
        session.run(StatementPacket.Check.TURN.require("GET_LOCK(" + name(index == 0 ? sessions : index) + ", 0)"));
    }

    @Override
    public void await(StatementPacket packet, ApplyBatch batch) {
        if (batch.number() > 1) {
            packet.add(StatementPacket.Check.TURN.require(
                    "GET_LOCK(" + name(batch.number() - 1) + ", " + WAIT_SECONDS + ")"));
        }
    }

    /** One statement, whose parts are evaluated in their order: the server answers each statement with a packet of its own. */
    @Override
    public void pass(StatementPacket packet, ApplyBatch batch) {
        String release = ", @tributary_turn = RELEASE_LOCK(";
        packet.add(StatementPacket.Check.TURN.require("GET_LOCK(" + name(batch.number() + sessions) + ", 0)")
                + release + name(batch.number()) + ")"
                + (batch.number() > 1 ? release + name(batch.number() - 1) + ")" : ""));
    }

    private String name(long batch) {
        return "'tributary." + run + "." + batch + "'";
    }
}
