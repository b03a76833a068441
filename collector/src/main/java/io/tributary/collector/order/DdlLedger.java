package io.tributary.collector.order;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.SchemaState.PendingDdl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * DDL statements on their way through the shards: the k-th arrival of a statement on a shard belongs to its k-th emission.
 * Counts are relative: what every shard has had is taken off, and a statement that all had equally often is forgotten.
 */
public final class DdlLedger {
    /** Whether the shard of each index takes part. */
    private final List<Boolean> members = new ArrayList<>();

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** @param pending what the cut says */
    public DdlLedger(int shards, List<PendingDdl> pending) {
        for (int shard = 0; shard < shards; shard++) {
            members.add(true);
        }
    }

    private static final class Entry {
        private final Ddl ddl;
        private long[] arrived;
        private long emitted;

        Entry(Ddl ddl, int shards) {
            this.ddl = ddl;
            this.arrived = new long[shards];
        }
    }

    /** One more shard takes part; it has had none of the statements that are on their way. */
    void join(int shard) {
        while (members.size() <= shard) {
            members.add(members.size() == shard);
        }
        entries.values().forEach(entry -> entry.arrived = Arrays.copyOf(entry.arrived, members.size()));
    }

    /** A shard takes part no more: nothing is missing on it. */
    void leave(int shard) {
        members.set(shard, false);
        List.copyOf(entries.values()).forEach(this::settle);
    }

    /** The shard had the statement before it joined: counts if it is on its way, and is never emitted for that. */
    void hadBefore(Ddl ddl, int shard) {
        Entry entry = entries.get(ddl.parts().get(0).id());
        if (entry != null && entry.arrived[shard] < entry.emitted) {
            entry.arrived[shard]++;
            settle(entry);
        }
    }

    /** Counts an arrival; true when it is the first of its round through the shards and is to be emitted. */
    boolean arrive(Ddl ddl, int shard) {
        Entry entry = entries.computeIfAbsent(ddl.parts().get(0).id(), any -> new Entry(ddl, members.size()));
        boolean isFirst = ++entry.arrived[shard] > entry.emitted;
        if (isFirst) {
            entry.emitted++;
        }
        settle(entry);
        return isFirst;
    }

    private void settle(Entry entry) {
        long least = entry.emitted;
        for (int shard = 0; shard < members.size(); shard++) {
            least = members.get(shard) ? Math.min(least, entry.arrived[shard]) : least;
        }
        if (least > 0) {
            entry.emitted -= least;
            for (int shard = 0; shard < members.size(); shard++) {
                entry.arrived[shard] -= least;
            }
        }
        if (entry.emitted == 0) {
            entries.remove(entry.ddl.parts().get(0).id());
        }
    }

    /** Emitted statements that the shard has not had. */
    public Collection<Ddl> missingOn(int shard) {
        if (entries.isEmpty()) {
            return List.of();
        }
        return entries.values().stream()
                .filter(entry -> entry.arrived[shard] < entry.emitted)
                .map(entry -> entry.ddl)
                .toList();
    }

    /** Whether every shard has had every statement equally often. */
    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Statements that some shard has not had. */
    List<Ddl> onTheirWay() {
        return entries.values().stream().map(entry -> entry.ddl).toList();
    }

    /** The indexes of the shards that have not had a statement which is on its way. */
    List<Integer> shardsWithout(Ddl ddl) {
        Entry entry = entries.get(ddl.parts().get(0).id());
        return IntStream.range(0, members.size())
                .filter(shard -> members.get(shard) && entry.arrived[shard] < entry.emitted)
                .boxed()
                .toList();
    }

    /** For the cut: the arrivals on the shards that take part, in the order of their indexes. */
    List<PendingDdl> pending() {
        if (entries.isEmpty()) {
            return List.of();
        }
        List<PendingDdl> pending = new ArrayList<>();
        return pending;
    }
}
