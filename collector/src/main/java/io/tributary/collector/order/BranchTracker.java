package io.tributary.collector.order;

import io.tributary.common.value.Token;

/** Notes of the branches of all shards what tokens say of them: prepared, ready, committed, rolled back. */
final class KnownBranches {
    private final Instances instances;
    private final RoundWatch rounds;
    private final Completeness completeness;

    KnownBranches(Instances instances, RoundWatch rounds, Completeness completeness) {
        this.instances = instances;
        this.rounds = rounds;
        this.completeness = completeness;
    }

    Branch prepared(ShardLine line, Token token) {
        if (line.undecided().containsKey(token.xid())) {
            throw line.contradiction(token, "PREPARE of a branch that is prepared already");
        }
        return line.prepare(token, instances.forPrepare(token.xid().global(), line, rounds));
    }

    /** The branch is known. */
    Branch committed(ShardLine line, Token token) {
        Branch branch = line.undecided().remove(token.xid());
        if (!branch.isEmitted()) {
            branch.transaction().becameCommitted(branch, token);
            rounds.committed(branch);
        }
        return branch;
    }

    /** A branch that is rolled back counts no more, wherever its shard stands: it has nothing to emit. */
    Branch rolledBack(ShardLine line, Token token) {
        Branch branch = line.undecided().remove(token.xid());
        if (branch != null && branch.transaction() != null) {
            branch.transaction().rememberRollback(branch, token);
            drop(branch);
        }
        return branch;
    }

    /** Its PREPARE has been processed. */
    void ready(Branch branch) {
        if (branch.isIn(branch.line().pending())) {
            branch.transaction().becameReady(branch);
            completeness.changed(branch.transaction());
        }
    }

    /** A PREPARE below the cut's frontier. */
    void prepareReread(ShardLine line, Token token) {
        if (line.undecided().containsKey(token.xid())) {
            token.release(); // emitted before the cut
        } else {
            ready(line.prepare(token, instances.forRereadPrepare(token.xid().global(), line)));
        }
    }

    /** A COMMIT or ROLLBACK below the cut's frontier. */
    void decisionReread(ShardLine line, Token token) {
        Branch known = line.undecided().get(token.xid());
        if (known != null && known.transaction() != null) {
            line.undecided().remove(token.xid());
            drop(known);
        }
    }

    private void drop(Branch branch) {
        Distributed transaction = branch.transaction();
        transaction.drop(branch);
        branch.unlink();
        branch.releasePayload();
        branch.line().pendingChanged();
        if (transaction.hasEnded()) {
            instances.forget(transaction);
            completeness.changed(transaction.later());
        }
    }
}
