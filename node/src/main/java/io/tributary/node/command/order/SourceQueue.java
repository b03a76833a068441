package io.tributary.node.command.order;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The transactions of one shard between two cuts, in the order of its log, and how many of them precede the current place of the global order. */
final class SourceQueue {
    private final ShardCut from;
    private final List<SourceTransaction> all = new ArrayList<>();
    private final List<SourceTransaction> later = new ArrayList<>();
    private final List<SourceTransaction> prepared = new ArrayList<>();
    private final Set<Xid> open; // branches that are in the output, and whose XA COMMIT is not passed
    private int passed;

    /**
     * @param from the shard in the cut before
     * @param until what was processed at the cut after
     * @param open branches that are in the output before, and whose XA COMMIT is not
     * @param read the transactions of the shard's log from some place before {@code from} on
     */
    SourceQueue(ShardCut from, GtidSet until, Set<Xid> open, List<SourceTransaction> read) {
        this.from = from;
        this.open = new HashSet<>(open);
        for (SourceTransaction each : read) {
            boolean isBefore = from.frontier().contains(each.gtid());
            if (!isBefore) {
                (until.contains(each.gtid()) ? all : later).add(each);
            } else if (each.kind() == TokenKind.PREPARE) {
                prepared.add(each);
            } else if (each.xid() != null) {
                prepared.removeIf(branch -> branch.xid().equals(each.xid()));
            }
        }
    }

    String name() {
        return from.name();
    }

    ShardCut from() {
        return from;
    }

    /** Branches that were prepared before and are undecided there. */
    List<SourceTransaction> prepared() {
        return prepared;
    }

    /** The transactions between the cuts. */
    List<SourceTransaction> all() {
        return all;
    }

    /** Transactions after the cut after: only commits of branches that are in the output before it matter. */
    List<SourceTransaction> later() {
        return later;
    }

    /** Branches that are in the output at the current place, and whose XA COMMIT follows it on the shard. */
    Set<Xid> open() {
        return open;
    }

    /**
     * The first transaction that is not passed and stops the shard.
     *
     * @param isPassing whether a transaction changes nothing in the output
     * @return its index in {@link #all}; the size without one
     */
    int head(Predicate<SourceTransaction> isPassing) {
        int head = passed;
        while (head < all.size() && isPassing.test(all.get(head))) {
            head++;
        }
        return head;
    }

    /** Passes all transactions before an index. */
    void passTo(int index) {
        for (; passed < index; passed++) {
            SourceTransaction each = all.get(passed);
            if (each.kind() == TokenKind.COMMIT) {
                open.remove(each.xid());
            }
        }
    }

    /** Passes a transaction and all before it; one that is not between the cuts is ignored. */
    void pass(SourceTransaction one) {
        passTo(Math.max(passed, all.indexOf(one) + 1));
    }

    /** Passes what directly follows, up to the next XA PREPARE. */
    void passRest(Predicate<SourceTransaction> isPassing) {
        passTo(head(each -> each.kind() != TokenKind.PREPARE && isPassing.test(each)));
    }

    /** The GTIDs of the shard that precede the current place. */
    GtidSet executed() {
        GtidSet.Builder set = from.frontier().toBuilder();
        all.subList(0, passed).forEach(each -> set.add(each.gtid()));
        return set.build();
    }

    /** The last transaction that was passed; null for none. */
    SourceTransaction last() {
        return passed == 0 ? null : all.get(passed - 1);
    }
}
