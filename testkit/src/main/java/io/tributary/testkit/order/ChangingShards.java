package io.tributary.testkit.order;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The shards of a simulated cluster that join and leave. The last shard may join, with or without transactions on it before; the first one may
 * leave when no transaction uses it.
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

    /** Which shards join and leave. */
    public enum Change {
        NONE,
        /** The last shard joins. */
        JOIN,
        /** The first shard leaves. */
        LEAVE,
        BOTH
    }

    /** @param end approximate time after which no transaction begins */
    public ChangingShards(Change change, int shards, double end, Timetable timetable, ShardLogs logs, Draws draws) {
        this.change = change;
        this.shards = shards;
        this.timetable = timetable;
        this.logs = logs;
        this.draws = draws;
        this.isUsedBefore = joins() && draws.random().nextDouble() < .7;
        this.drainedAt = leaves() ? draws.uniform(.2 * end, .9 * end) : Double.MAX_VALUE;
    }

    // ---- the shard that joins

    public boolean joins() {
        return change == Change.JOIN || change == Change.BOTH;
    }

    public int joining() {
        return shards - 1;
    }

    /** Entries that were received before the shard is expected were logged before this time. */
    public double expectedAt() {
        return expectedAt;
    }

    /** The number of entries of a shard that joins that are not read: reading starts after them. */
    public int joinResume() {
        return joinResume;
    }

    /** The number of entries of a shard that joins that are not part of the output. */
    public int joinFrontier() {
        return joinFrontier;
    }

    /**
     * Plans the join: from a time on the shard is read; it is expected when some branches on it are decided.
     *
     * @param toBeDecided these branches
     * @param then runs a while later
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

    /** Entries that the shard logs from now on are part of the output. */
    public void join() {
        join(logs.of(joining()).size());
    }

    /** Entries that the shard logs after this many entries are part of the output. */
    public void join(int frontier) {
        joinFrontier = frontier;
    }

    /** In some runs no transaction uses the shard before it has joined: a transaction waits for that. */
    public void awaitJoin(double now, Map<Integer, List<Integer>> plan, Timetable.Action then) {
        if (joins() && !isUsedBefore && joinFrontier < 0 && plan.containsKey(joining())) {
            timetable.at(now + .5, later -> awaitJoin(later, plan, then));
        } else {
            then.run(now);
        }
    }

    /** Whether an entry is part of the output: it is after the frontier where its shard joined. */
    public boolean counts(Entry entry) {
        return !joins() || entry.shard() != joining() || entry.place() >= joinFrontier;
    }

    /** Whether the commit of a transaction on a shard is part of the output. */
    public boolean counts(int transaction, int shard) {
        return !joins() || shard != joining() || counts(logs.end(transaction, shard));
    }

    // ---- the shard that leaves

    public boolean leaves() {
        return change == Change.LEAVE || change == Change.BOTH;
    }

    public int leaving() {
        return 0;
    }

    /** The newest round that had begun at the request to leave: no branch is prepared on the shard any more. */
    public long leavesAfter() {
        return leavesAfter;
    }

    /** The shards that a transaction which begins at a time uses; towards the end without the leaving shard. */
    public void begins(double time, Map<Integer, List<Integer>> plan) {
        if (time >= drainedAt && plan.remove(leaving()) != null && plan.isEmpty()) {
            plan.put(leaving() + 1, List.of(0));
        }
        usersOfLeaving += plan.containsKey(leaving()) ? 1 : 0;
    }

    /** Notes that a transaction writes nothing more on a shard. */
    public void ends(int shard) {
        usersOfLeaving -= shard == leaving() ? 1 : 0;
    }

    /** @param evenInUse whether to leave while transactions use the shard, which violates the rule */
    public void askToLeave(double now, long newestRound, boolean evenInUse) {
        if (leaves() && leavesAfter < 0 && now >= drainedAt && (usersOfLeaving == 0 || evenInUse)) {
            leavesAfter = newestRound;
        }
    }

    // ----

    /** Whether all planned joins and leaves have happened. */
    public boolean haveChanged() {
        return (!joins() || joinFrontier >= 0) && (!leaves() || leavesAfter >= 0);
    }

    /** The number of rounds after the last transaction. */
    public int roundsAtTheEnd() {
        return change == Change.NONE ? 3 : 9;
    }

    /** Whether any shard joins or leaves. */
    public boolean areChanging() {
        return change != Change.NONE;
    }
}
