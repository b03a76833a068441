package io.tributary.collector.order.xa;

/**
 * The parts of the ordering rules. A test disables them one by one, to verify that it detects the difference.
 *
 * @param roundsAfterWindow how many rounds after the one that ends a commit's window every shard must have sent
 * @param waitsUntilReady whether everything before a transaction's prepares must have been processed
 * @param rereadsPending whether a cut resumes before the oldest pending prepare
 * @param leavesDecided whether a shard leaves only if none of its branches is open
 * @param leavesAtARound whether a shard leaves only at a round after the request to leave
 * @param demandsRounds whether rounds are required from a shard that joins
 */
public record Rules(
        int roundsAfterWindow,
        boolean waitsUntilReady,
        boolean rereadsPending,
        boolean leavesDecided,
        boolean leavesAtARound,
        boolean demandsRounds) {
    public static final Rules ALL = new Rules(1, true, true);

    public Rules(int roundsAfterWindow, boolean waitsUntilReady, boolean rereadsPending) {
        this(roundsAfterWindow, waitsUntilReady, rereadsPending, true, true, true);
    }
}
