package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** The undecided branches of one shard, by XID, by age, and by the smallest TSO that each can have. */
final class PendingBranches {
    /** In the order of their prepares. */
    private final Map<Xid, PendingBranch> open = new LinkedHashMap<>();

    /** Decided branches are removed when they reach the head of the queue. */
    private final PriorityQueue<PendingBranch> byLeast = new PriorityQueue<>();

    private long least = Long.MAX_VALUE;

    /** @param lowerBound its TSO is larger than this */
    void prepared(Token prepare, long lowerBound, long nanoTime) {
        PendingBranch pendingBranch = new PendingBranch(prepare, lowerBound, nanoTime);
        if (open.putIfAbsent(prepare.xid(), pendingBranch) != null) {
            throw new TributaryException(
                    ErrorCode.ORDER_CONTRADICTION,
                    "expected no PREPARE of a branch that is prepared already, found one of "
                            + open.get(prepare.xid()));
        }
        byLeast.add(pendingBranch);
        least = Math.min(least, pendingBranch.least());
    }

    /** Removes a branch that was decided; null if it was not undecided. */
    PendingBranch decided(Xid xid) {
        PendingBranch pendingBranch = open.remove(xid);
        if (pendingBranch != null) {
            pendingBranch.decide();
            while (!byLeast.isEmpty() && byLeast.peek().isDecided()) {
                byLeast.remove();
            }
            least = byLeast.isEmpty() ? Long.MAX_VALUE : byLeast.peek().least();
        }
        return pendingBranch;
    }

    /** No undecided branch can get a smaller TSO than this; the highest possible value if there are none. */
    long least() {
        return least;
    }

    Iterable<PendingBranch> inOrder() {
        return open.values();
    }

    /** The branches for operators, the oldest first. */
    List<UndecidedBranch> undecided(int most, long nanoTime, int heldBack) {
        return open.values().stream()
                .limit(most)
                .map(pendingBranch -> UndecidedBranch.of(pendingBranch, nanoTime, heldBack))
                .toList();
    }

    int count() {
        return open.size();
    }
}
