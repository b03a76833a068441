package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** The undecided branches of one shard: by XID, by age, and by the smallest TSO that each can have. */
final class Holes {
    /** In the order of their prepares. */
    private final Map<Xid, Hole> open = new LinkedHashMap<>();

    /** Decided ones leave it once they come to its head. */
    private final PriorityQueue<Hole> byLeast = new PriorityQueue<>();

    private long least = Long.MAX_VALUE;

    /** @param behind its TSO is larger than this */
    void prepared(Token prepare, long behind, long nanoTime) {
        Hole hole = new Hole(prepare, behind, nanoTime);
        if (open.putIfAbsent(prepare.xid(), hole) != null) {
            throw new TributaryException(
                    ErrorCode.ORDER_CONTRADICTION,
                    "PREPARE of a branch that is prepared already: " + open.get(prepare.xid()));
        }
        byLeast.add(hole);
        least = Math.min(least, hole.least());
    }

    /** It is a hole no more; null when it was none. */
    Hole decided(Xid xid) {
        Hole hole = open.remove(xid);
        if (hole != null) {
            hole.decide();
            while (!byLeast.isEmpty() && byLeast.peek().isDecided()) {
                byLeast.remove();
            }
            least = byLeast.isEmpty() ? Long.MAX_VALUE : byLeast.peek().least();
        }
        return hole;
    }

    /** No hole can get a smaller TSO than this; the highest there is when there are no holes. */
    long least() {
        return least;
    }

    Iterable<Hole> inOrder() {
        return open.values();
    }

    /** As an operator sees them, the oldest first. */
    List<UndecidedBranch> undecided(int most, long nanoTime, int heldBack) {
        return open.values().stream()
                .limit(most)
                .map(hole -> UndecidedBranch.of(hole, nanoTime, heldBack))
                .toList();
    }

    int count() {
        return open.size();
    }
}
