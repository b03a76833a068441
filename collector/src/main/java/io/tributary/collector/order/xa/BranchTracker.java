package io.tributary.collector.order.xa;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.RoundWatch;
import io.tributary.collector.order.ShardState;
import io.tributary.common.value.Token;

/** Records the state of the branches of all shards from their tokens: prepared, ready, committed, rolled back. */
final class BranchTracker {
    private final TransactionRegistry registry;
    private final RoundWatch rounds;
    private final CompletionTracker completion;

    BranchTracker(TransactionRegistry registry, RoundWatch rounds, CompletionTracker completion) {
        this.registry = registry;
        this.rounds = rounds;
        this.completion = completion;
    }

    Branch prepared(ShardState state, Token token) {
        if (state.undecided().containsKey(token.xid())) {
            throw state.contradiction(token, "PREPARE of a branch that is prepared already");
        }
        return state.prepare(token, registry.forPrepare(token.xid().global(), state, rounds));
    }

    /** Records the commit of a known branch. */
    Branch committed(ShardState state, Token token) {
        Branch branch = state.undecided().remove(token.xid());
        if (!branch.isEmitted()) {
            branch.transaction().becameCommitted(branch, token);
            rounds.committed(branch);
        }
        return branch;
    }

    /** A branch that is rolled back does not count any more, at any position of its shard, because it has nothing to emit. */
    Branch rolledBack(ShardState state, Token token) {
        Branch branch = state.undecided().remove(token.xid());
        if (branch != null && branch.transaction() != null) {
            branch.transaction().addRollback(branch, token);
            drop(branch);
        }
        return branch;
    }

    /** The PREPARE of the branch has been processed. */
    void ready(Branch branch) {
        if (branch.isIn(branch.shardState().pending())) {
            branch.transaction().becameReady(branch);
            completion.changed(branch.transaction());
        }
    }

    /** A PREPARE before the cut's frontier was read again. */
    void prepareReread(ShardState state, Token token) {
        if (state.undecided().containsKey(token.xid())) {
            token.release(); // emitted before the cut
        } else {
            ready(state.prepare(token, registry.forRereadPrepare(token.xid().global(), state)));
        }
    }

    /** A COMMIT or ROLLBACK before the cut's frontier was read again. */
    void decisionReread(ShardState state, Token token) {
        Branch known = state.undecided().get(token.xid());
        if (known != null && known.transaction() != null) {
            state.undecided().remove(token.xid());
            drop(known);
        }
    }

    private void drop(Branch branch) {
        DistributedTransaction transaction = branch.transaction();
        transaction.drop(branch);
        branch.unlink();
        branch.releasePayload();
        branch.shardState().pendingChanged();
        if (transaction.hasEnded()) {
            registry.forget(transaction);
            completion.changed(transaction.later());
        }
    }
}
