package io.tributary.testkit.order;

import java.util.Arrays;

/** The heartbeat rounds of a simulated cluster, and the newest round of each shard. */
public final class Rounds {
    private final Timetable timetable;
    private final Draws draws;
    private final long[] landed;
    private final boolean[] isIncluded;
    private long newest;
    private long last;

    /** The action of a shard for a round. */
    public interface Landing {
        /** Returns whether the shard acknowledges it. */
        boolean land(double now, int shard);
    }

    public Rounds(int shards, Timetable timetable, Draws draws) {
        this.timetable = timetable;
        this.draws = draws;
        this.landed = new long[shards];
        this.isIncluded = new boolean[shards];
        Arrays.fill(isIncluded, true);
    }

    /** The number of the newest round that has begun. */
    public long newest() {
        return newest;
    }

    /** Begins the next round. */
    public long next() {
        return ++newest;
    }

    /** Notes a round with this number that began elsewhere. */
    public void atLeast(long number) {
        newest = Math.max(newest, number);
    }

    public void exclude(int shard) {
        isIncluded[shard] = false;
    }

    public void include(int shard) {
        isIncluded[shard] = true;
    }

    public boolean isIncluded(int shard) {
        return isIncluded[shard];
    }

    /** The newest round of a shard. */
    public long landed(int shard) {
        return landed[shard];
    }

    /** Notes that a round is in a shard's log. */
    public void landed(int shard, long number) {
        landed[shard] = Math.max(landed[shard], number);
    }

    /** Writes to every included shard; the write arrives at each shard independently. */
    public void write(double now, Landing landing, Timetable.Action whenAcknowledged) {
        int[] left = {0};
        for (int shard = 0; shard < landed.length; shard++) {
            if (!isIncluded[shard]) {
                continue;
            }
            int each = shard;
            left[0]++;
            timetable.at(now + draws.pick(1, 1, 1, 30) * draws.uniform(.01, 3), later -> {
                if (landing.land(later, each) && --left[0] == 0) {
                    whenAcknowledged.run(later);
                }
            });
        }
    }

    /**
     * Whether every shard has this many more rounds than there were when everything was done.
     *
     * @param isDone whether everything is done now
     */
    public boolean haveEnded(boolean isDone, int more) {
        if (isDone && last == 0) {
            last = newest + more;
        }
        return last != 0 && Arrays.stream(landed).allMatch(each -> each >= last);
    }
}
