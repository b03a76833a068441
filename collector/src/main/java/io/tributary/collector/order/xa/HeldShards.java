package io.tributary.collector.order.xa;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.RunnableShards;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.schema.Queues;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The shards that wait at a statement or are held at a question. They are tried again when the reason may have ended. */
final class HeldShards implements Queues {
    private final ShardStates states;
    private final RunnableShards runnable;
    private final SchemaOrder schema;
    private final List<ShardState> held = new ArrayList<>();
    private long tried;
    private boolean isRetryDue;

    HeldShards(ShardStates states, RunnableShards runnable, SchemaOrder schema) {
        this.states = states;
        this.runnable = runnable;
        this.schema = schema;
    }

    void add(ShardState state) {
        held.add(state);
    }

    /** Removes a shard that has left. */
    void remove(ShardState state) {
        held.remove(state);
    }

    /** Call this regularly: if a statement waits for other shards to reach the same statement, only the state of their queues shows it. */
    void tick() {
        isRetryDue |= !held.isEmpty() && schema.changes().dependsOnQueues();
    }

    /** Makes the held shards runnable again if the reason may have ended. */
    void retry() {
        if (held.isEmpty() || !isRetryDue && schema.version() == tried) {
            return;
        }
        isRetryDue = false;
        schema.questions().retry();
        held.forEach(runnable::add);
        held.clear();
        tried = schema.version();
    }

    @Override
    public boolean isAt(int shard, String partId) {
        ShardState state = states.get(shard);
        if (state == null || state.depth() == 0) {
            return false;
        }
        Token head = state.head();
        return head.ddl() != null
                && head.ddl().parts().stream().anyMatch(part -> part.id().equals(partId));
    }

    @Override
    public boolean waitsFor(int shard, int other) {
        return waitsFor(states.get(shard), other, new HashSet<>());
    }

    private static boolean waitsFor(ShardState state, int other, Set<ShardState> seen) {
        if (state == null || state.waitsFor() == null || !seen.add(state)) {
            return false;
        }
        for (Branch branch : state.waitsFor().branches()) {
            boolean isAfterOther = !branch.isReady() && branch.shard() == other;
            if (isAfterOther || !branch.isReady() && waitsFor(branch.shardState(), other, seen)) {
                return true;
            }
        }
        return false;
    }
}
