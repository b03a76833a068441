package io.tributary.testkit.order;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The logs of simulated shards, and the true time of each entry. */
public final class ShardLogs {
    private final List<List<Entry>> logs = new ArrayList<>();
    private final List<List<Double>> times = new ArrayList<>();

    public ShardLogs(int shards) {
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            times.add(new ArrayList<>());
        }
    }

    /** The logs by shard, as a view. */
    public List<List<Entry>> all() {
        return logs;
    }

    public List<Entry> of(int shard) {
        return logs.get(shard);
    }

    public void add(double now, Entry entry) {
        times.get(entry.shard()).add(now);
        logs.get(entry.shard()).add(entry);
    }

    /** The true time at which an entry was logged, independent of its shard's clock. */
    public double realTime(Entry entry) {
        return times.get(entry.shard()).get(entry.place());
    }

    /** The entry with which a transaction commits on a shard, or null. */
    public Entry end(int transaction, int shard) {
        for (Entry entry : logs.get(shard)) {
            if (entry.transaction() == transaction && entry.commits()) {
                return entry;
            }
        }
        return null;
    }

    /** The transactions with an undecided branch on a shard. */
    public Set<Integer> undecided(int shard) {
        Set<Integer> undecided = new HashSet<>();
        for (Entry entry : logs.get(shard)) {
            if (entry.kind() == 'P') {
                undecided.add(entry.transaction());
            } else if (entry.isBranch()) {
                undecided.remove(entry.transaction());
            }
        }
        return undecided;
    }
}
