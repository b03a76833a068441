package io.tributary.collector.order;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One distributed transaction: the branches that are known, and how far each has come. A gtrid that is used again makes a
 * second instance, which waits for the first.
 */
public final class Distributed extends Chain.Link<Distributed> {
    private final Xid xid;
    private final long since;
    private final List<Branch> branches = new ArrayList<>(4);
    private List<Rollback> rollbacks = List.of();
    private Distributed earlier;
    private Distributed later;
    private ShardLine waiting;
    private int ready;
    private int committed;
    private int certain;
    private long neededRound;
    private long number;
    private boolean ended;
    private boolean emitted;

    private record Rollback(Branch branch, long prepared, long rolledBack) {}

    /**
     * @param earlier the instance before it with the same XID, or null
     * @param since when it was first seen, ns
     */
    Distributed(Xid xid, Distributed earlier, long since) {
        this.xid = xid;
        this.earlier = earlier;
        this.since = since;
        if (earlier != null && !earlier.ended) {
            earlier.later = this;
        }
    }

    @Override
    Distributed self() {
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

    // ---- what becomes known

    void add(Branch branch) {
        int at = branches.size();
        while (at > 0 && branches.get(at - 1).shard() > branch.shard()) {
            at--;
        }
        branches.add(at, branch);
        count(branch, 1);
    }

    /** A branch that belongs to another instance. */
    void takeOut(Branch branch) {
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

    void becameReady(Branch branch) {
        branch.markReady();
        ready++;
    }

    void becameCommitted(Branch branch, Token commit) {
        branch.markCommitted(commit);
        committed++;
    }

    /** The round that ended the window of the branch's commit has come: every one from {@code round} on began after it. */
    void becameCertain(Branch branch, long round) {
        branch.setNeededRound(round);
        neededRound = Math.max(neededRound, round);
        certain++;
    }

    /** A branch that was not committed is out; a transaction without branches has ended. */
    void drop(Branch branch) {
        takeOut(branch);
        if (branches.isEmpty()) {
            end();
        }
    }

    /** It has no branches any more. */
    void end() {
        ended = true;
        if (later != null) {
            later.earlier = earlier;
        }
        if (earlier != null && earlier.later == this) {
            earlier.later = later;
        }
    }

    void rememberRollback(Branch branch, Token rollback) {
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

    /** A round above that of every commit: what began before them all has been received with it; 0 while not known. */
    long neededRound() {
        return neededRound;
    }

    // ---- what it says of itself

    boolean areAllReady() {
        return ready == branches.size();
    }

    /** Whether every branch has committed, and a round has come behind each commit. */
    boolean areAllCommitted() {
        return committed == branches.size() && certain == committed;
    }

    boolean hasCommitOn(ShardLine line) {
        for (Branch branch : branches) {
            if (branch.line() == line && branch.isCommitted()) {
                return true;
            }
        }
        return false;
    }

    boolean isOn(ShardLine line) {
        for (Branch branch : branches) {
            if (branch.line() == line) {
                return true;
            }
        }
        return false;
    }

    /** Whether it has no shard in common with another one. */
    boolean isApartFrom(Distributed other) {
        return branches.stream().noneMatch(branch -> other.isOn(branch.line()));
    }

    /**
     * Branches that were rolled back on shards where no other branch of it committed: not those of an attempt that had ended
     * before it was prepared, or that was prepared after it had committed.
     */
    List<Branch> contradictingRollbacks() {
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
            if (!isOfAnotherUse && !isOn(each.branch.line())) {
                contradicting.add(each.branch);
            }
        }
        return contradicting;
    }

    /** Whether the instance before it with the same XID was emitted or rolled back. */
    boolean isItsTurn() {
        return earlier == null || earlier.ended;
    }

    Distributed earlier() {
        return earlier;
    }

    Distributed later() {
        return later;
    }

    boolean isEmitted() {
        return emitted;
    }

    boolean hasEnded() {
        return ended;
    }

    /** The number that the emission gave it. */
    long number() {
        return number;
    }

    void markEmitted(long emissionNumber) {
        number = emissionNumber;
        emitted = true;
        ended = true;
        earlier = null;
        later = null;
        rollbacks = List.of();
    }

    // ---- the shards that stand at one of its commits

    void addWaiting(ShardLine line) {
        line.waitFor(this, waiting);
        waiting = line;
    }

    boolean hasWaiting() {
        return waiting != null;
    }

    /** Takes one of the waiting shards out. */
    ShardLine pollWaiting() {
        ShardLine line = waiting;
        waiting = line.stopWaiting();
        return line;
    }
}
