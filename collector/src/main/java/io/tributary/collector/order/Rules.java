package io.tributary.collector.order;

/**
 * The parts of the rules that a test leaves out one by one, to see that it would notice.
 *
 * @param roundsAfterWindow how many rounds above the one that ends a commit's window must have come from every shard
 * @param waitsUntilReady whether all in front of a transaction's prepares must have been processed
 * @param rereadsPending whether a cut resumes in front of the oldest pending prepare
 * @param leavesDecided whether a shard leaves only when none of its branches is open
 * @param leavesAtARound whether a shard leaves only at a round behind which it was asked to
 * @param demandsRounds whether rounds are demanded of a shard that joins
 */
record Rules(
        int roundsAfterWindow,
        boolean waitsUntilReady,
        boolean rereadsPending,
        boolean leavesDecided,
        boolean leavesAtARound,
        boolean demandsRounds) {
    static final Rules ALL = new Rules(1, true, true);

    Rules(int roundsAfterWindow, boolean waitsUntilReady, boolean rereadsPending) {
        this(roundsAfterWindow, waitsUntilReady, rereadsPending, true, true, true);
    }
}
