package io.tributary.collector.order;

import io.tributary.common.value.Xid;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The distributed transactions by XID: which one a PREPARE belongs to, where a gtrid is used again. The last emitted ones
 * are remembered for a while, so that a branch that comes too late is recognised.
 */
final class Instances {
    private static final int REMEMBERED = 4096;

    /** The newest instance of each XID. */
    private final Map<Xid, Distributed> newest = new HashMap<>();

    private final ArrayDeque<Distributed> emitted = new ArrayDeque<>();
    private final InDoubtWatch inDoubt;
    private final Alarms alarms;

    Instances(InDoubtWatch inDoubt, Alarms alarms) {
        this.inDoubt = inDoubt;
        this.alarms = alarms;
    }

    /**
     * The transaction of a branch that is prepared now: the oldest one that is not emitted, has not committed on this shard,
     * and did not commit before a round that stands in front of the branch; else a new one.
     */
    Distributed forPrepare(Xid global, ShardLine line, RoundWatch rounds) {
        Distributed last = newest.get(global);
        for (Distributed each = oldest(last); each != null; each = each.later()) {
            long needed = each.neededRound();
            boolean ended = needed != 0 && rounds.newest(line.shard()) >= needed;
            if (!ended && !each.hasCommitOn(line)) {
                return each;
            }
        }
        return addAfter(last, global);
    }

    /** The transaction of a branch that was prepared before the cut. */
    Distributed forRereadPrepare(Xid global, ShardLine line) {
        Distributed last = newest.get(global);
        for (Distributed each = oldest(last); each != null; each = each.later()) {
            if (!each.hasCommitOn(line)) {
                return each;
            }
        }
        return addAfter(last, global);
    }

    /** The first of the instances up to this one that have not ended, or null. */
    private static Distributed oldest(Distributed last) {
        if (last == null || last.hasEnded()) {
            return null;
        }
        Distributed oldest = last;
        while (oldest.earlier() != null && !oldest.earlier().hasEnded()) {
            oldest = oldest.earlier();
        }
        return oldest;
    }

    /** The next instance behind one that is not emitted. */
    Distributed after(Distributed transaction) {
        Distributed later = transaction.later();
        return later != null ? later : addAfter(transaction, transaction.xid());
    }

    private Distributed addAfter(Distributed earlier, Xid global) {
        if (earlier != null && !earlier.hasEnded()) {
            alarms.xidUsedAgain();
        }
        Distributed transaction = new Distributed(global, earlier, inDoubt.now());
        newest.put(global, transaction);
        inDoubt.watch(transaction);
        return transaction;
    }

    /** All its branches were rolled back, or belong to others. */
    void forget(Distributed transaction) {
        inDoubt.ended(transaction);
        if (newest.get(transaction.xid()) == transaction) {
            Distributed earlier = transaction.earlier();
            if (earlier != null && !earlier.hasEnded()) {
                newest.put(transaction.xid(), earlier);
            } else {
                newest.remove(transaction.xid());
            }
        }
    }

    void emitted(Distributed transaction, long number) {
        transaction.contradictingRollbacks().forEach(alarms::mixedOutcome);
        Distributed earlier = transaction.earlier();
        if (earlier != null && earlier.isEmitted() && transaction.isApartFrom(earlier)) {
            transaction.branches().forEach(alarms::lateBranch);
        }
        inDoubt.ended(transaction);
        transaction.markEmitted(number);
        emitted.add(transaction);
        if (emitted.size() > REMEMBERED) {
            Distributed oldest = emitted.remove();
            newest.remove(oldest.xid(), oldest);
        }
    }
}
