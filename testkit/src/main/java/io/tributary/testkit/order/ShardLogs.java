package io.tributary.testkit.order;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The logs of simulated shards, and when each entry was really logged. */
public final class ShardLogs {
    private final List<List<Entry>> logs = new ArrayList<>();
    private final List<List<Double>> times = new ArrayList<>();

    public ShardLogs(int shards) {
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            times.add(new ArrayList<>());
        }
    }

    /** By shard. A view. */
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

    /** When an entry was logged, whatever its shard's clock said. */
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

    /** Transactions that are prepared on a shard and not decided there. */
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
