package io.tributary.collector.order;

/**
 * The parts of the rules that a test leaves out one by one, to see that it would notice.
 *
 * @param roundsAfterWindow how many rounds above the one that ends a commit's window must have come from every shard
 * @param waitsUntilReady whether all in front of a transaction's prepares must have been processed
 * @param rereadsPending whether a cut resumes in front of the oldest pending prepare
 */
record Rules(int roundsAfterWindow, boolean waitsUntilReady, boolean rereadsPending) {
    static final Rules ALL = new Rules(1, true, true);
}
