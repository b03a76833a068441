package io.tributary.common.pipeline;

import java.util.concurrent.atomic.LongAccumulator;

/**
 * Requests of the stages to the writer of rounds: that they wait for a round, and the largest committed timestamp, which the next round
 * carries (`tso` order). A request costs one volatile write when a stage begins to wait, and nothing otherwise.
 */
public final class RoundRequest {
    private final LongAccumulator committedTso = new LongAccumulator(Math::max, 0);
    private final Wakeup requests = new Wakeup();
    private final Wakeup commits = new Wakeup();
    private volatile boolean requested;

    /** Requests the next round for a stage that waits; any thread. */
    public void request() {
        if (!requested) {
            requested = true;
            requests.ring();
        }
    }

    /** For the writer of rounds: whether a round is requested. */
    public boolean isRequested() {
        boolean now = requested;
        if (!now) {
            requests.listen();
        }
        return now;
    }

    /** For the writer of rounds, which has begun a round: it serves all requests made before. */
    public void clear() {
        requested = false;
    }

    /** Reports a TSO that was read as committed, on any shard; any thread. */
    public void committed(long tso) {
        committedTso.accumulate(tso);
        commits.ring();
    }

    /** For the thread that forwards TSOs: whether there is one above {@code tso}. */
    public boolean hasCommittedAbove(long tso) {
        boolean has = committedTso.get() > tso;
        if (!has) {
            commits.listen();
        }
        return has;
    }

    /** The largest TSO that was read as committed, here or by a relay; 0 = none. Any thread. */
    public long committedTso() {
        return committedTso.get();
    }
}
