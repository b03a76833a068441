package io.tributary.node.task;

import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.Diagnosis;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.value.Xid;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Undecided branches with order.mode=tso: groups by transaction the branches at which the extractors wait, in the form of order.mode=xa. */
public final class UndecidedBranches {
    private static final int MOST_SHOWN = 1000;
    private static final long NANOS_PER_MICRO = 1000;

    private final long warnMicros;
    private final long epochMicros;

    /** One undecided branch of a shard. */
    private record Placed(String shard, UndecidedBranch branch) {}

    /**
     * @param warnMicros age from which a transaction is in doubt
     * @param epochMicros the time now
     */
    UndecidedBranches(long warnMicros, long epochMicros) {
        this.warnMicros = warnMicros;
        this.epochMicros = epochMicros;
    }

    /** Adds the branches that the readers hold now to the snapshot of the order. */
    public CompletableFuture<OrderSnapshot> of(List<ShardReader> readers, CompletableFuture<OrderSnapshot> ordered) {
        Map<String, CompletableFuture<List<UndecidedBranch>>> answers = new LinkedHashMap<>();
        readers.forEach(reader -> answers.put(reader.name(), reader.extractor().undecided()));
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new));
        return ordered.thenCombine(all, (snapshot, nothing) -> {
            Map<Xid, List<Placed>> found = new LinkedHashMap<>();
            answers.forEach((shard, answer) -> answer.join()
                    .forEach(branch -> found.computeIfAbsent(branch.xid().global(), any -> new ArrayList<>())
                            .add(new Placed(shard, branch))));
            return found.isEmpty() ? snapshot : with(snapshot, found);
        });
    }

    private OrderSnapshot with(OrderSnapshot ordered, Map<Xid, List<Placed>> found) {
        List<HeldTransaction> held = new ArrayList<>(ordered.transactions());
        found.forEach((xid, branches) -> held.add(held(xid, branches)));
        held.sort(Comparator.comparingLong(HeldTransaction::ageMicros).reversed());
        return new OrderSnapshot(
                ordered.total() + found.size(), held.subList(0, Math.min(MOST_SHOWN, held.size())), ordered.waits());
    }

    private HeldTransaction held(Xid xid, List<Placed> placed) {
        List<HeldBranch> branches = new ArrayList<>();
        List<String> waitsFor = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        long ageMicros = 0;
        for (Placed each : placed) {
            UndecidedBranch branch = each.branch();
            long prepared = branch.preparedMicros();
            ageMicros =
                    Math.max(ageMicros, prepared == 0 ? branch.ageNanos() / NANOS_PER_MICRO : epochMicros - prepared);
            branches.add(new HeldBranch(
                    each.shard(),
                    branch.xid(),
                    State.PREPARED,
                    branch.sid(),
                    branch.gno(),
                    branch.file(),
                    branch.offset(),
                    branch.payloadBytes()));
            waitsFor.add("the decision on shard " + each.shard()
                    + (branch.tso() == 0 ? ", and its TSO" : " at TSO " + branch.tso()) + "; " + branch.heldBack()
                    + " transactions and decisions there wait for undecided branches");
            remedies.add("XA COMMIT " + branch.xid() + " or XA ROLLBACK " + branch.xid() + " on shard " + each.shard()
                    + ", the same as for its other branches");
        }
        Diagnosis diagnosis = new Diagnosis(List.of(), waitsFor, remedies);
        return new HeldTransaction(xid, ageMicros, ageMicros >= warnMicros, branches, diagnosis);
    }
}
