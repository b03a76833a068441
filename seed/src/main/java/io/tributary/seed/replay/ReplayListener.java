package io.tributary.seed.replay;

import io.tributary.common.value.TableName;
import java.util.Set;

/** Learns what a replay does; called by the thread that runs it. */
public interface ReplayListener {
    /**
     * A statement changes tables that are being copied. They must be copied again in a later round, with a place in the stream of its own. After
     * this method returns they are dropped on the target, and the statement's GTID is committed: so it must store them durably, and a later
     * run must pass them over.
     *
     * @param transaction the number of the statement in the stream
     */
    void dirty(Set<TableName> tables, long transaction);

    /**
     * More transactions have committed on the target.
     *
     * @param transactions committed by this run
     * @param bytes of their events
     */
    default void applied(long transactions, long bytes) {}
}
