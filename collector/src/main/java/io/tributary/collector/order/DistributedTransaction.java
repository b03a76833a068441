package io.tributary.collector.order;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One distributed transaction: its known branches and their states. If a gtrid is used again, the second use is another instance, which waits for the
 * first.
 */
public final class DistributedTransaction extends IntrusiveList.Link<DistributedTransaction> {
    private final Xid xid;
    private final long since;
    private final List<Branch> branches = new ArrayList<>(4);
    private List<Rollback> rollbacks = List.of();
    private DistributedTransaction earlier;
    private DistributedTransaction later;
    private ShardState waiting;
    private int ready;
    private int committed;
    private int certain;
    private long neededRound;
    private long number;
    private boolean ended;
    private boolean emitted;

    private record Rollback(Branch branch, long prepared, long rolledBack) {}

    /**
     * @param earlier the previous instance with the same XID, or null
     * @param since the time at which it was first seen, ns
     */
    public DistributedTransaction(Xid xid, DistributedTransaction earlier, long since) {
        this.xid = xid;
        this.earlier = earlier;
        this.since = since;
        if (earlier != null && !earlier.ended) {
            earlier.later = this;
        }
    }

    @Override
    DistributedTransaction self() {
        return this;
    }

    /** gtrid and formatID, which all its branches share. */
    public Xid xid() {
        return xid;
    }

    /** The branches that committed, in the order of shards and, on one shard, of their prepares. A view. */
    public List<Branch> branches() {
        return Collections.unmodifiableList(branches);
    }

    long since() {
        return since;
    }

    // ---- state changes

    public void add(Branch branch) {
        int at = branches.size();
        while (at > 0 && branches.get(at - 1).shard() > branch.shard()) {
            at--;
        }
        branches.add(at, branch);
        count(branch, 1);
    }

    /** Removes a branch that belongs to another instance. */
    void remove(Branch branch) {
        branches.remove(branch);
        count(branch, -1);
    }

    private void count(Branch branch, int one) {
        ready += branch.isReady() ? one : 0;
        if (branch.isCommitted()) {
            committed += one;
            certain += branch.neededRound() != 0 ? one : 0;
            neededRound = Math.max(neededRound, branch.neededRound());
        }
    }

    public void becameReady(Branch branch) {
        branch.markReady();
        ready++;
    }

    public void becameCommitted(Branch branch, Token commit) {
        branch.markCommitted(commit);
        committed++;
    }

    /** The round that ends the window of the branch's commit has been received: every round from {@code round} on began after the commit. */
    void becameCertain(Branch branch, long round) {
        branch.setNeededRound(round);
        neededRound = Math.max(neededRound, round);
        certain++;
    }

    /** Removes a branch that was not committed; a transaction without branches has ended. */
    public void drop(Branch branch) {
        remove(branch);
        if (branches.isEmpty()) {
            end();
        }
    }

    /** The transaction has no branches any more. */
    public void end() {
        ended = true;
        if (later != null) {
            later.earlier = earlier;
        }
        if (earlier != null && earlier.later == this) {
            earlier.later = later;
        }
    }

    public void addRollback(Branch branch, Token rollback) {
        if (rollbacks.isEmpty()) {
            rollbacks = new ArrayList<>(2);
        }
        rollbacks.add(new Rollback(branch, Branch.time(branch.prepare()), Branch.time(rollback)));
    }

    /** Branches that were rolled back. */
    List<Branch> rolledBack() {
        return rollbacks.isEmpty()
                ? List.of()
                : rollbacks.stream().map(each -> each.branch).toList();
    }

    /**
     * A round after that of every commit: when every shard has sent it, everything that began before the commits has been received; 0 while not
     * known.
     */
    public long neededRound() {
        return neededRound;
    }

    // ---- state

    public boolean areAllReady() {
        return ready == branches.size();
    }

    /** Whether every branch has committed, and a round was received after each commit. */
    public boolean areAllCommitted() {
        return committed == branches.size() && certain == committed;
    }

    public boolean hasCommitOn(ShardState state) {
        for (Branch branch : branches) {
            if (branch.shardState() == state && branch.isCommitted()) {
                return true;
            }
        }
        return false;
    }

    boolean isOn(ShardState state) {
        for (Branch branch : branches) {
            if (branch.shardState() == state) {
                return true;
            }
        }
        return false;
    }

    /** Whether it has no shard in common with another transaction. */
    public boolean sharesNoShardWith(DistributedTransaction other) {
        return branches.stream().noneMatch(branch -> other.isOn(branch.shardState()));
    }

    /**
     * Branches that were rolled back on shards where no other branch of it committed. Branches of an earlier or later attempt are left out: those
     * that were rolled back before the first prepare, or prepared after the first commit.
     */
    public List<Branch> contradictingRollbacks() {
        if (rollbacks.isEmpty()) {
            return List.of();
        }
        long firstPrepare = Long.MAX_VALUE;
        long firstCommit = Long.MAX_VALUE;
        for (Branch branch : branches) {
            firstPrepare = Math.min(firstPrepare, Branch.time(branch.prepare()));
            firstCommit = Math.min(firstCommit, Branch.time(branch.commit()));
        }
        List<Branch> contradicting = new ArrayList<>();
        for (Rollback each : rollbacks) {
            boolean isOfAnotherUse = each.rolledBack < firstPrepare || each.prepared > firstCommit;
            if (!isOfAnotherUse && !isOn(each.branch.shardState())) {
                contradicting.add(each.branch);
            }
        }
        return contradicting;
    }

    /** Whether the previous instance with the same XID was emitted or rolled back. */
    public boolean isItsTurn() {
        return earlier == null || earlier.ended;
    }

    public DistributedTransaction earlier() {
        return earlier;
    }

    public DistributedTransaction later() {
        return later;
    }

    public boolean isEmitted() {
        return emitted;
    }

    public boolean hasEnded() {
        return ended;
    }

    /** The number that the sink returned for it. */
    public long number() {
        return number;
    }

    public void markEmitted(long emissionNumber) {
        number = emissionNumber;
        emitted = true;
        ended = true;
        earlier = null;
        later = null;
        rollbacks = List.of();
    }

    // ---- the shards that wait at one of its commits

    public void addWaiting(ShardState state) {
        state.waitFor(this, waiting);
        waiting = state;
    }

    public boolean hasWaiting() {
        return waiting != null;
    }

    /** Removes and returns one of the waiting shards. */
    public ShardState pollWaiting() {
        ShardState state = waiting;
        waiting = state.stopWaiting();
        return state;
    }
}
