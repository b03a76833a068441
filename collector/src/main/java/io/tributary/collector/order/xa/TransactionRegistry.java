package io.tributary.collector.order.xa;

import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.InDoubtWatch;
import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.RoundWatch;
import io.tributary.collector.order.ShardState;
import io.tributary.common.value.Xid;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The distributed transactions by XID. It determines to which transaction a PREPARE belongs if a gtrid is used again. The last emitted transactions
 * are kept for a while, so that a branch that is prepared too late is recognised.
 */
public final class TransactionRegistry {
    private static final int REMEMBERED = 4096;

    /** The newest instance of each XID. */
    private final Map<Xid, DistributedTransaction> newest = new HashMap<>();

    private final ArrayDeque<DistributedTransaction> emitted = new ArrayDeque<>();
    private final InDoubtWatch inDoubt;
    private final ProtocolViolations violations;

    /**
     * @param inDoubtNanos after this time a transaction that is not complete is reported
     * @param violations notified of violations of two-phase commit
     */
    public TransactionRegistry(long inDoubtNanos, ProtocolViolations violations) {
        this.inDoubt = new InDoubtWatch(inDoubtNanos);
        this.violations = violations;
    }

    /** The transactions that are not emitted, and how long they have been open. */
    InDoubtWatch inDoubt() {
        return inDoubt;
    }

    /**
     * The transaction of a branch that is prepared now: the oldest one that is not emitted, has not committed on this shard, and did not commit
     * before a round that is before the branch; else a new one.
     */
    DistributedTransaction forPrepare(Xid global, ShardState state, RoundWatch rounds) {
        DistributedTransaction last = newest.get(global);
        for (DistributedTransaction each = oldest(last); each != null; each = each.later()) {
            long needed = each.neededRound();
            boolean ended = needed != 0 && rounds.newest(state.shard()) >= needed;
            if (!ended && !each.hasCommitOn(state)) {
                return each;
            }
        }
        return addAfter(last, global);
    }

    /** The transaction of a branch that was prepared before the cut. */
    DistributedTransaction forRereadPrepare(Xid global, ShardState state) {
        DistributedTransaction last = newest.get(global);
        for (DistributedTransaction each = oldest(last); each != null; each = each.later()) {
            if (!each.hasCommitOn(state)) {
                return each;
            }
        }
        return addAfter(last, global);
    }

    /** The first of the instances up to this one that have not ended, or null. */
    private static DistributedTransaction oldest(DistributedTransaction last) {
        if (last == null || last.hasEnded()) {
            return null;
        }
        DistributedTransaction oldest = last;
        while (oldest.earlier() != null && !oldest.earlier().hasEnded()) {
            oldest = oldest.earlier();
        }
        return oldest;
    }

    /** The next instance after one that is not emitted. */
    DistributedTransaction after(DistributedTransaction transaction) {
        DistributedTransaction later = transaction.later();
        return later != null ? later : addAfter(transaction, transaction.xid());
    }

    private DistributedTransaction addAfter(DistributedTransaction earlier, Xid global) {
        if (earlier != null && !earlier.hasEnded()) {
            violations.xidUsedAgain();
        }
        DistributedTransaction transaction = new DistributedTransaction(global, earlier, inDoubt.now());
        newest.put(global, transaction);
        inDoubt.watch(transaction);
        return transaction;
    }

    /** Removes a transaction: all its branches were rolled back, or belong to others. */
    void forget(DistributedTransaction transaction) {
        inDoubt.ended(transaction);
        if (newest.get(transaction.xid()) == transaction) {
            DistributedTransaction earlier = transaction.earlier();
            if (earlier != null && !earlier.hasEnded()) {
                newest.put(transaction.xid(), earlier);
            } else {
                newest.remove(transaction.xid());
            }
        }
    }

    void emitted(DistributedTransaction transaction, long number) {
        transaction.contradictingRollbacks().forEach(violations::mixedOutcome);
        DistributedTransaction earlier = transaction.earlier();
        if (earlier != null && earlier.isEmitted() && transaction.sharesNoShardWith(earlier)) {
            transaction.branches().forEach(violations::lateBranch);
        }
        inDoubt.ended(transaction);
        transaction.markEmitted(number);
        emitted.add(transaction);
        if (emitted.size() > REMEMBERED) {
            DistributedTransaction oldest = emitted.remove();
            newest.remove(oldest.xid(), oldest);
        }
    }
}
