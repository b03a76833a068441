package io.tributary.collector.order;

import java.util.List;

/** Says when a distributed transaction is complete, and wakes the shards that wait for that. */
final class Completeness {
    private final ShardLines lines;
    private final RoundWatch rounds;
    private final RunnableLines runnable;
    private final Separation separation;
    private final Rules rules;

    Completeness(ShardLines lines, RoundWatch rounds, RunnableLines runnable, Separation separation, Rules rules) {
        this.lines = lines;
        this.rounds = rounds;
        this.runnable = runnable;
        this.separation = separation;
        this.rules = rules;
    }

    /**
     * Complete: no unknown branch can appear any more, every branch did commit, all in front of its prepares is out, and
     * nothing below the cut's frontier is still to be read again.
     */
    boolean isComplete(Distributed transaction) {
        return isDecided(transaction)
                && (transaction.areAllReady() || !rules.waitsUntilReady())
                && transaction.isItsTurn();
    }

    private boolean isDecided(Distributed transaction) {
        return lines.areCaughtUp() && transaction.areAllCommitted() && rounds.isReached(transaction.neededRound());
    }

    /** Something that a transaction waits for has come: the shards that stand at its commits look again once it is complete. */
    void changed(Distributed transaction) {
        if (transaction != null && transaction.hasWaiting()) {
            settle(transaction);
            if (isComplete(transaction)) {
                wake(transaction);
            }
        }
    }

    /** Once a transaction is decided, branches that belong to a later use of its gtrid go to that. */
    void settle(Distributed transaction) {
        if (transaction.later() != null && isDecided(transaction)) {
            lookAgain(separation.settle(transaction));
        }
    }

    /** A transaction in doubt for long: does it wait for itself? */
    void breakCircle(Distributed transaction) {
        if (isDecided(transaction)) {
            lookAgain(separation.breakCircle(transaction));
        }
    }

    /** These transactions have other branches than before. */
    private void lookAgain(List<Distributed> transactions) {
        for (Distributed each : transactions) {
            rounds.await(each);
            wake(each);
        }
    }

    /** The shards that stand at its commits look again. */
    void wake(Distributed transaction) {
        while (transaction.hasWaiting()) {
            runnable.add(transaction.pollWaiting());
        }
    }
}
