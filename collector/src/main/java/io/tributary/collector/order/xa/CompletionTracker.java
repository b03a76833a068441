package io.tributary.collector.order.xa;

import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.RoundWatch;
import io.tributary.collector.order.RunnableShards;
import io.tributary.collector.order.ShardStates;
import java.util.List;

/** Decides when a distributed transaction is complete, and wakes the shards that wait for it. */
final class CompletionTracker {
    private final ShardStates states;
    private final RoundWatch rounds;
    private final RunnableShards runnable;
    private final XidReuseResolver resolver;
    private final XaRules rules;

    CompletionTracker(
            ShardStates states, RoundWatch rounds, RunnableShards runnable, XidReuseResolver resolver, XaRules rules) {
        this.states = states;
        this.rounds = rounds;
        this.runnable = runnable;
        this.resolver = resolver;
        this.rules = rules;
    }

    /**
     * A transaction is complete if no unknown branch can appear any more, every branch has committed, everything before its prepares has been
     * processed, and nothing before the cut's frontier must still be read again.
     */
    boolean isComplete(DistributedTransaction transaction) {
        return isDecided(transaction) && rules.isReady(transaction) && transaction.isItsTurn();
    }

    private boolean isDecided(DistributedTransaction transaction) {
        return states.areCaughtUp() && transaction.areAllCommitted() && rounds.isReached(transaction.neededRound());
    }

    /** The state of a transaction has changed: if it is complete now, the shards that wait at its commits become runnable. */
    void changed(DistributedTransaction transaction) {
        if (transaction != null && transaction.hasWaiting()) {
            resolveReuse(transaction);
            if (isComplete(transaction)) {
                wake(transaction);
            }
        }
    }

    /** If a transaction is decided, branches that belong to a later use of its gtrid are moved to that use. */
    void resolveReuse(DistributedTransaction transaction) {
        if (transaction.later() != null && isDecided(transaction)) {
            recheck(resolver.resolve(transaction));
        }
    }

    /** Checks a transaction that is in doubt for long: it may wait for itself. */
    void breakCycle(DistributedTransaction transaction) {
        if (isDecided(transaction)) {
            recheck(resolver.breakCycle(transaction));
        }
    }

    /** Checks again transactions whose branches have changed. */
    private void recheck(List<DistributedTransaction> transactions) {
        for (DistributedTransaction each : transactions) {
            rounds.await(each);
            wake(each);
        }
    }

    /** Makes the shards that wait at its commits runnable again. */
    void wake(DistributedTransaction transaction) {
        while (transaction.hasWaiting()) {
            runnable.add(transaction.pollWaiting());
        }
    }
}
