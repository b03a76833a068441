package io.tributary.collector.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/** The newest round received from each shard, and the transactions that wait until every shard has sent a given round. */
public final class RoundWatch {
    /** The value of a shard from which no rounds are required any more. */
    private static final long ALL = Long.MAX_VALUE;

    private final LongUnaryOperator neededRound;
    private long[] newest;
    private final List<List<Branch>> openWindows = new ArrayList<>();
    private final TreeMap<Long, List<DistributedTransaction>> awaited = new TreeMap<>();
    private int inOpenWindows;
    private long minimum;
    private int atMinimum;

    /**
     * @param processed the newest round of each shard
     * @param neededRound returns the round that a transaction needs, from the round that ends the window of a commit
     */
    public RoundWatch(long[] processed, LongUnaryOperator neededRound) {
        this.newest = processed.clone();
        this.neededRound = neededRound;
        for (int shard = 0; shard < newest.length; shard++) {
            openWindows.add(new ArrayList<>());
        }
        findMinimum();
    }

    /** Requires rounds from one more shard, which has sent none yet: no round is reached until it has. */
    public void addShard() {
        newest = Arrays.copyOf(newest, newest.length + 1);
        openWindows.add(new ArrayList<>());
        findMinimum();
    }

    /**
     * No round is required from the shard any more; it has no open window.
     *
     * @param reached called with each transaction whose round has now been received from all remaining shards
     */
    public void removeShard(int shard, Consumer<DistributedTransaction> reached) {
        newest[shard] = ALL;
        findMinimum();
        notifyReached(reached);
    }

    public long newest(int shard) {
        return newest[shard];
    }

    /** Whether every shard has sent this round or a later one. */
    public boolean isReached(long round) {
        return round != 0 && round <= minimum;
    }

    /** Whether a transaction waits for a round. */
    public boolean isAwaited() {
        return inOpenWindows > 0 || !awaited.isEmpty();
    }

    /** A commit was received: the next round from its shard determines the round that its transaction needs. */
    public void committed(Branch branch) {
        openWindows.get(branch.shard()).add(branch);
        inOpenWindows++;
    }

    /** @param reached called with each transaction whose round has now been received from every shard */
    public void received(int shard, long round, Consumer<DistributedTransaction> reached) {
        closeWindow(shard, round, reached);
        long before = newest[shard];
        if (round <= before) {
            return;
        }
        newest[shard] = round;
        if (before == minimum && --atMinimum == 0) {
            findMinimum();
            notifyReached(reached);
        }
    }

    private void notifyReached(Consumer<DistributedTransaction> reached) {
        while (!awaited.isEmpty() && awaited.firstKey() <= minimum) {
            awaited.pollFirstEntry().getValue().forEach(reached);
        }
    }

    /** The round ends the window of the shard's commits: every later round began after them. */
    private void closeWindow(int shard, long round, Consumer<DistributedTransaction> reached) {
        List<Branch> window = openWindows.get(shard);
        if (window.isEmpty()) {
            return;
        }
        long needed = neededRound.applyAsLong(round);
        for (Branch branch : window) {
            DistributedTransaction transaction = branch.transaction();
            transaction.becameCertain(branch, needed);
            if (!await(transaction)) {
                reached.accept(transaction);
            }
        }
        inOpenWindows -= window.size();
        window.clear();
    }

    /** Records that a transaction needs a round that was not received from every shard yet; false if it was. */
    public boolean await(DistributedTransaction transaction) {
        long needed = transaction.neededRound();
        if (needed <= minimum) {
            return false;
        }
        awaited.computeIfAbsent(needed, any -> new ArrayList<>()).add(transaction);
        return true;
    }

    private void findMinimum() {
        minimum = Long.MAX_VALUE;
        for (long round : newest) {
            if (round < minimum) {
                minimum = round;
                atMinimum = 0;
            }
            if (round == minimum) {
                atMinimum++;
            }
        }
    }
}
