package io.tributary.collector.order.xa;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.ShardState;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.List;

/** The rules of `xa` order, which follow from two-phase commit: no branch commits before all branches are prepared. */
public final class TwoPhaseCommitRules implements XaRules {
    /** A later round, because the one that ends the window may have begun before the commit. */
    @Override
    public long neededRound(long windowEnd) {
        return windowEnd + 1;
    }

    @Override
    public boolean isReady(DistributedTransaction transaction) {
        return transaction.areAllReady();
    }

    @Override
    public List<String> openBranches(ShardState shard) {
        List<String> open = new ArrayList<>();
        shard.undecided()
                .keySet()
                .forEach(xid -> open.add("XA " + xid + " is prepared there and not decided: run XA COMMIT " + xid
                        + " or XA ROLLBACK " + xid));
        for (Branch branch = shard.pending().first(); branch != null; branch = branch.next()) {
            if (branch.isCommitted()) {
                open.add("XA " + branch.xid() + " has committed there and waits for its other branches");
            }
        }
        return open;
    }

    @Override
    public boolean mayLeaveAt(ShardState shard, Token processed) {
        return processed.kind() == TokenKind.ROUND && shard.membership().wasQuietBefore(processed.round());
    }

    @Override
    public boolean isQuiet(ShardState shard) {
        return shard.membership().isQuiet();
    }
}
