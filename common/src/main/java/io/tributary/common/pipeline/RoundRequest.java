package io.tributary.common.pipeline;

import java.util.concurrent.atomic.LongAccumulator;

/**
 * What the stages tell the writer of rounds: that they wait for one, and how far commit timestamps are, which the next one carries
 * (`tso` order). A wish costs one volatile write when somebody begins to wait, and nothing while nobody does.
 */
public final class RoundDemand {
    private final LongAccumulator committedTso = new LongAccumulator(Math::max, 0);
    private final Bell wishes = new Bell();
    private final Bell commits = new Bell();
    private volatile boolean wanted;

    /** Some stage waits for the next round; any thread. */
    public void want() {
        if (!wanted) {
            wanted = true;
            wishes.ring();
        }
    }

    /** Whoever begins rounds: whether one is wished for. */
    public boolean isWanted() {
        boolean now = wanted;
        if (!now) {
            wishes.listen();
        }
        return now;
    }

    /** The writer of rounds has begun a round; wishes from before are served by it. */
    public void clear() {
        wanted = false;
    }

    /** A TSO has been read as committed, on whatever shard; any thread. */
    public void committed(long tso) {
        committedTso.accumulate(tso);
        commits.ring();
    }

    /** Whoever carries TSOs further: whether there is one above what is known there. */
    public boolean hasCommittedAbove(long tso) {
        boolean has = committedTso.get() > tso;
        if (!has) {
            commits.listen();
        }
        return has;
    }

    /** The largest TSO that has been read as committed, here or by a relay; 0 while there is none. Any thread. */
    public long committedTso() {
        return committedTso.get();
    }
}
