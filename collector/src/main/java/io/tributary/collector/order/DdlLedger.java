package io.tributary.collector.order;

import io.tributary.common.value.Cut.PendingDdl;
import io.tributary.common.value.Ddl;
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
    private final int shards;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** @param pending what the cut says */
    public DdlLedger(int shards, List<PendingDdl> pending) {
        this.shards = shards;
        for (PendingDdl each : pending) {
            Entry entry = new Entry(each.ddl(), shards);
            entry.emitted = each.emitted();
            Arrays.setAll(entry.arrived, shard -> each.arrived().get(shard));
            entries.put(each.ddl().digest(), entry);
        }
    }

    private static final class Entry {
        private final Ddl ddl;
        private final long[] arrived;
        private long emitted;

        Entry(Ddl ddl, int shards) {
            this.ddl = ddl;
            this.arrived = new long[shards];
        }
    }

    /** Counts an arrival; true when it is the first of its round through the shards and is to be emitted. */
    boolean arrive(Ddl ddl, int shard) {
        Entry entry = entries.computeIfAbsent(ddl.digest(), any -> new Entry(ddl, shards));
        boolean isFirst = ++entry.arrived[shard] > entry.emitted;
        if (isFirst) {
            entry.emitted++;
        }
        settle(entry);
        return isFirst;
    }

    private void settle(Entry entry) {
        long least = Arrays.stream(entry.arrived).min().orElse(0);
        if (least > 0) {
            entry.emitted -= least;
            for (int shard = 0; shard < shards; shard++) {
                entry.arrived[shard] -= least;
            }
        }
        if (entry.emitted == 0) {
            entries.remove(entry.ddl.digest());
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
        Entry entry = entries.get(ddl.digest());
        return IntStream.range(0, shards)
                .filter(shard -> entry.arrived[shard] < entry.emitted)
                .boxed()
                .toList();
    }

    /** For the cut. */
    List<PendingDdl> pending() {
        if (entries.isEmpty()) {
            return List.of();
        }
        List<PendingDdl> pending = new ArrayList<>();
        for (Entry entry : entries.values()) {
            List<Long> arrived = Arrays.stream(entry.arrived).boxed().toList();
            pending.add(new PendingDdl(entry.ddl, entry.emitted, arrived));
        }
        return pending;
    }
}
