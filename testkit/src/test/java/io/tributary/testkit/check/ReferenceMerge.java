package io.tributary.testkit.check;

import io.tributary.common.gtid.Gtid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Merges complete histories of shards to one legal output in memory, in which the checkers must find no violation. */
final class ReferenceMerge {
    private static final UUID CLUSTER = new UUID(1, 2);

    private final List<Marker> markers = Marker.ofWorkloads();
    private final List<BinlogTransaction> output = new ArrayList<>();
    private final Map<String, List<ShardHistory.Step>> branches = new HashMap<>();
    private final Map<String, Integer> ready = new HashMap<>();
    private final Map<String, Integer> emittedTexts = new HashMap<>();
    private final List<List<Moment>> queues = new ArrayList<>();
    private final List<Map<String, Integer>> shardTexts = new ArrayList<>();

    private record Moment(int at, boolean commits, String identity, ShardHistory.Step step) {}

    static List<BinlogTransaction> of(List<ShardHistory> shards) {
        ReferenceMerge merge = new ReferenceMerge();
        shards.forEach(merge::add);
        merge.run();
        return merge.output;
    }

    private void add(ShardHistory shard) {
        List<Moment> moments = new ArrayList<>();
        for (ShardHistory.Step step : shard.steps()) {
            if (!step.isCommitted()) {
                continue;
            }
            String identity = Marker.identity(markers, step.transaction);
            if (step.isBranch()) {
                branches.computeIfAbsent(identity, i -> new ArrayList<>()).add(step);
                moments.add(new Moment(step.endedAt, true, identity, step));
            }
            moments.add(new Moment(step.at, false, identity, step));
        }
        moments.sort(Comparator.comparingInt(Moment::at));
        queues.add(moments);
        shardTexts.add(new HashMap<>());
    }

    private void run() {
        int[] heads = new int[queues.size()];
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int shard = 0; shard < heads.length; shard++) {
                List<Moment> queue = queues.get(shard);
                while (heads[shard] < queue.size() && passes(queue.get(heads[shard]), shard)) {
                    heads[shard]++;
                    moved = true;
                }
            }
        }
        for (int shard = 0; shard < heads.length; shard++) {
            if (heads[shard] < queues.get(shard).size()) {
                throw new IllegalStateException("stuck at " + queues.get(shard).get(heads[shard]));
            }
        }
    }

    private boolean passes(Moment moment, int shard) {
        if (!moment.step.isBranch()) {
            local(moment.step.transaction, shard);
            return true;
        }
        if (!moment.commits) {
            ready.merge(moment.identity, 1, Integer::sum);
            return true;
        }
        List<ShardHistory.Step> all = branches.get(moment.identity);
        if (all == null) {
            return true; // emitted
        }
        if (ready.get(moment.identity) < all.size()) {
            return false;
        }
        List<RowChange> changes = new ArrayList<>();
        all.stream() // a moved row: first deleted, then inserted
                .sorted(Comparator.comparing(
                        step -> step.transaction.changes().stream().noneMatch(RowChange::isDelete)))
                .forEach(step -> changes.addAll(step.transaction.changes()));
        emit(moment.step.transaction, TransactionKind.LOCAL, changes);
        branches.remove(moment.identity);
        return true;
    }

    private void local(BinlogTransaction transaction, int shard) {
        if (transaction.kind() != TransactionKind.DDL) {
            emit(transaction, TransactionKind.LOCAL, transaction.changes());
            return;
        }
        String text = transaction.queries().get(0);
        int arrival = shardTexts.get(shard).merge(text, 1, Integer::sum);
        if (arrival > emittedTexts.getOrDefault(text, 0)) {
            emittedTexts.put(text, arrival);
            emit(transaction, TransactionKind.DDL, List.of());
        }
    }

    private void emit(BinlogTransaction from, TransactionKind kind, List<RowChange> changes) {
        output.add(with(from, new Gtid(CLUSTER, output.size() + 1), kind, changes));
    }

    static BinlogTransaction with(BinlogTransaction t, Gtid gtid, TransactionKind kind, List<RowChange> changes) {
        return new BinlogTransaction(gtid, "out", t.start(), t.end(), 0, 0, kind, "", t.queries(), changes, t.hash());
    }
}
