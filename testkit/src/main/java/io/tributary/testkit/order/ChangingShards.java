package io.tributary.testkit.order;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The shards of a simulated cluster that come and go. The last one may join, with or without transactions on it before; the first one may
 * leave, once nobody uses it.
 */
public final class ChangingShards {
    private final Change change;
    private final int shards;
    private final Timetable timetable;
    private final ShardLogs logs;
    private final Draws draws;
    private final boolean isUsedBefore;
    private final double drainedAt;
    private double expectedAt = -1;
    private int joinResume = -1;
    private int joinFrontier = -1;
    private int usersOfLeaving;
    private long leavesAfter = -1;

    /** Which shards come and go. */
    public enum Change {
        NONE,
        /** The last one joins. */
        JOIN,
        /** The first one leaves. */
        LEAVE,
        BOTH
    }

    /** @param end about when transactions begin no more */
    public ChangingShards(Change change, int shards, double end, Timetable timetable, ShardLogs logs, Draws draws) {
        this.change = change;
        this.shards = shards;
        this.timetable = timetable;
        this.logs = logs;
        this.draws = draws;
        this.isUsedBefore = joins() && draws.random().nextDouble() < .7;
        this.drainedAt = leaves() ? draws.uniform(.2 * end, .9 * end) : Double.MAX_VALUE;
    }

    // ---- the one that joins

    public boolean joins() {
        return change == Change.JOIN || change == Change.BOTH;
    }

    public int joining() {
        return shards - 1;
    }

    /** What was received before the shard is expected was logged before this. */
    public double expectedAt() {
        return expectedAt;
    }

    /** Entries in front of which a shard that joins is not read. */
    public int joinResume() {
        return joinResume;
    }

    /** Entries of a shard that joins that are no part of the output. */
    public int joinFrontier() {
        return joinFrontier;
    }

    /**
     * From a time on the shard is read, and once some branches on it are decided it is expected.
     *
     * @param toBeDecided those branches
     * @param then happens a while later
     */
    public void expect(double time, Supplier<Set<Integer>> toBeDecided, Timetable.Action then) {
        timetable.at(time, now -> {
            joinResume = logs.of(joining()).size();
            awaitDecided(now, toBeDecided.get(), later -> {
                expectedAt = later;
                timetable.at(later + draws.uniform(.01, 3), then);
            });
        });
    }

    /** Waits until branches on the shard that joins are decided there. */
    public void awaitDecided(double now, Set<Integer> before, Timetable.Action then) {
        Set<Integer> left = logs.undecided(joining());
        left.retainAll(before);
        if (left.isEmpty()) {
            then.run(now);
        } else {
            timetable.at(now + .5, later -> awaitDecided(later, before, then));
        }
    }

    /** What the shard logs from now on is a part of the output. */
    public void join() {
        join(logs.of(joining()).size());
    }

    /** What the shard logs behind so many entries is a part of the output. */
    public void join(int frontier) {
        joinFrontier = frontier;
    }

    /** In some runs nobody uses the shard that joins before it has joined: a transaction waits for that. */
    public void awaitJoin(double now, Map<Integer, List<Integer>> plan, Timetable.Action then) {
        if (joins() && !isUsedBefore && joinFrontier < 0 && plan.containsKey(joining())) {
            timetable.at(now + .5, later -> awaitJoin(later, plan, then));
        } else {
            then.run(now);
        }
    }

    /** Whether an entry is a part of the output: behind the frontier where its shard joined. */
    public boolean counts(Entry entry) {
        return !joins() || entry.shard() != joining() || entry.place() >= joinFrontier;
    }

    /** Whether what a transaction committed on a shard is a part of the output. */
    public boolean counts(int transaction, int shard) {
        return !joins() || shard != joining() || counts(logs.end(transaction, shard));
    }

    // ---- the one that leaves

    public boolean leaves() {
        return change == Change.LEAVE || change == Change.BOTH;
    }

    public int leaving() {
        return 0;
    }

    /** The newest round that had begun when the shard was asked to leave: no branch is prepared there any more. */
    public long leavesAfter() {
        return leavesAfter;
    }

    /** A transaction that begins at a time uses some shards, the leaving one not towards the end. */
    public void begins(double time, Map<Integer, List<Integer>> plan) {
        if (time >= drainedAt && plan.remove(leaving()) != null && plan.isEmpty()) {
            plan.put(leaving() + 1, List.of(0));
        }
        usersOfLeaving += plan.containsKey(leaving()) ? 1 : 0;
    }

    /** A transaction writes nothing more on a shard. */
    public void ends(int shard) {
        usersOfLeaving -= shard == leaving() ? 1 : 0;
    }

    /** @param evenInUse what must not be done */
    public void askToLeave(double now, long newestRound, boolean evenInUse) {
        if (leaves() && leavesAfter < 0 && now >= drainedAt && (usersOfLeaving == 0 || evenInUse)) {
            leavesAfter = newestRound;
        }
    }

    // ----

    /** Whether all that was to change has. */
    public boolean haveChanged() {
        return (!joins() || joinFrontier >= 0) && (!leaves() || leavesAfter >= 0);
    }

    /** How many rounds follow the last transaction. */
    public int roundsAtTheEnd() {
        return change == Change.NONE ? 3 : 9;
    }

    /** Whether a shard comes or goes at all. */
    public boolean areChanging() {
        return change != Change.NONE;
    }
}
