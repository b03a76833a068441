package io.tributary.common.pipeline;

/**
 * A wish for a heartbeat round, from the stages that wait for one to the writer of rounds. It costs one volatile write
 * when somebody begins to wait, and nothing while nobody does.
 */
public final class RoundDemand {
    private volatile boolean wanted;

    /** Some stage waits for the next round; any thread. */
    public void want() {
        if (!wanted) {
            wanted = true;
        }
    }

    public boolean isWanted() {
        return wanted;
    }

    /** The writer of rounds has begun a round; wishes from before are served by it. */
    public void clear() {
        wanted = false;
    }
}
