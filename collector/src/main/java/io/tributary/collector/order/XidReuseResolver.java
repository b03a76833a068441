package io.tributary.collector.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the uses of one gtrid apart: where it is used again at once, and on other shards too, no round lies between, so that
 * a branch of the second use may have been taken for one of the first.
 */
final class Separation {
    private final Instances instances;

    Separation(Instances instances) {
        this.instances = instances;
    }

    /**
     * Once every commit of a transaction is known and rounds have come behind them, so have all branches that could belong
     * to it. If its gtrid was prepared again by then, the shards' clocks have to say what belongs together: a branch that was
     * prepared after another one's commit is of a later use.
     *
     * @return the transactions that have changed; none mostly
     */
    List<Distributed> settle(Distributed transaction) {
        if (transaction.later() == null) {
            return List.of();
        }
        List<Branch> branches = new ArrayList<>();
        List<Distributed> uses = new ArrayList<>();
        for (Distributed each = transaction; each != null; each = each.later()) {
            uses.add(each);
            branches.addAll(each.branches());
        }
        branches.sort(Comparator.comparingLong(branch -> Branch.time(branch.prepare())));
        return distribute(branches, uses) ? uses : List.of();
    }

    /** Gives the branches, in the order of their prepares, to one use after the other; false when each has its own already. */
    private boolean distribute(List<Branch> branches, List<Distributed> uses) {
        boolean hasMoved = false;
        int use = 0;
        long firstCommit = Long.MAX_VALUE;
        for (Branch branch : branches) {
            if (Branch.time(branch.prepare()) > firstCommit) {
                firstCommit = Long.MAX_VALUE;
                if (++use == uses.size()) {
                    uses.add(instances.after(uses.get(use - 1)));
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
        for (Distributed each : uses) {
            if (each.branches().isEmpty()) {
                each.end();
                instances.forget(each);
            }
        }
        return hasMoved;
    }

    /**
     * Transactions that wait for each other in a circle cannot all have been prepared before they committed. The branches
     * that are not ready are taken out of this one.
     *
     * @return the transactions that have changed; none mostly
     */
    List<Distributed> breakCircle(Distributed transaction) {
        if (!waitsForItself(transaction)) {
            return List.of();
        }
        List<Branch> others = transaction.branches().stream()
                .filter(branch -> !branch.isReady())
                .toList();
        if (others.size() == transaction.branches().size()) {
            return List.of();
        }
        Distributed later = instances.after(transaction);
        others.forEach(branch -> branch.moveTo(later));
        return List.of(transaction, later);
    }

    private static boolean waitsForItself(Distributed transaction) {
        Set<Distributed> seen = new HashSet<>();
        List<Distributed> toVisit = new ArrayList<>(List.of(transaction));
        while (!toVisit.isEmpty()) {
            Distributed next = toVisit.remove(toVisit.size() - 1);
            for (Branch branch : next.branches()) {
                Distributed ahead = branch.isReady() ? null : branch.line().waitsFor();
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
