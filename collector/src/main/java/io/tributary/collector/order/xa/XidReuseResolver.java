package io.tributary.collector.order.xa;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Separates the uses of one gtrid. If it is used again at once, and also on other shards, there is no round between the uses, so a branch of the
 * second use may have been assigned to the first.
 */
final class XidReuseResolver {
    private final TransactionRegistry registry;

    XidReuseResolver(TransactionRegistry registry) {
        this.registry = registry;
    }

    /**
     * Once every commit of a transaction is known and rounds were received after them, all branches that could belong to it have been received too.
     * If its gtrid was prepared again by then, the shards' clocks decide which branches belong together: a branch that was prepared after another
     * one's commit belongs to a later use.
     *
     * @return the transactions that have changed; usually none
     */
    List<DistributedTransaction> resolve(DistributedTransaction transaction) {
        if (transaction.later() == null) {
            return List.of();
        }
        List<Branch> branches = new ArrayList<>();
        List<DistributedTransaction> uses = new ArrayList<>();
        for (DistributedTransaction each = transaction; each != null; each = each.later()) {
            uses.add(each);
            branches.addAll(each.branches());
        }
        branches.sort(Comparator.comparingLong(branch -> Branch.time(branch.prepare())));
        return distribute(branches, uses) ? uses : List.of();
    }

    /** Assigns the branches, in the order of their prepares, to one use after the other; false if each use has its own branches already. */
    private boolean distribute(List<Branch> branches, List<DistributedTransaction> uses) {
        boolean hasMoved = false;
        int use = 0;
        long firstCommit = Long.MAX_VALUE;
        for (Branch branch : branches) {
            if (Branch.time(branch.prepare()) > firstCommit) {
                firstCommit = Long.MAX_VALUE;
                if (++use == uses.size()) {
                    uses.add(registry.after(uses.get(use - 1)));
                }
            }
            if (branch.isCommitted()) {
                firstCommit = Math.min(firstCommit, Branch.time(branch.commit()));
            }
            if (branch.transaction() != uses.get(use)) {
                branch.moveTo(uses.get(use));
                hasMoved = true;
            }
        }
        for (DistributedTransaction each : uses) {
            if (each.branches().isEmpty()) {
                each.end();
                registry.forget(each);
            }
        }
        return hasMoved;
    }

    /**
     * Transactions that wait for each other in a cycle cannot all have been prepared before they committed. The branches of this one that are not
     * ready are moved to a later use.
     *
     * @return the transactions that have changed; usually none
     */
    List<DistributedTransaction> breakCycle(DistributedTransaction transaction) {
        if (!waitsForItself(transaction)) {
            return List.of();
        }
        List<Branch> others = transaction.branches().stream()
                .filter(branch -> !branch.isReady())
                .toList();
        if (others.size() == transaction.branches().size()) {
            return List.of();
        }
        DistributedTransaction later = registry.after(transaction);
        others.forEach(branch -> branch.moveTo(later));
        return List.of(transaction, later);
    }

    private static boolean waitsForItself(DistributedTransaction transaction) {
        Set<DistributedTransaction> seen = new HashSet<>();
        List<DistributedTransaction> toVisit = new ArrayList<>(List.of(transaction));
        while (!toVisit.isEmpty()) {
            DistributedTransaction next = toVisit.remove(toVisit.size() - 1);
            for (Branch branch : next.branches()) {
                DistributedTransaction ahead =
                        branch.isReady() ? null : branch.shardState().waitsFor();
                if (ahead == transaction) {
                    return true;
                }
                if (ahead != null && ahead.areAllCommitted() && seen.add(ahead)) {
                    toVisit.add(ahead);
                }
            }
        }
        return false;
    }
}
