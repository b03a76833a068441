package io.tributary.node.admin;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.node.status.NodeStatus;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A node view with fixed answers, for tests. */
public record FixedView(
        Supplier<NodeStatus> currentStatus,
        Supplier<CompletableFuture<OrderSnapshot>> currentTransactions,
        ShardRequests shards,
        SchemaChangeAccess changes)
        implements NodeView {
    /** A view that accepts no requests for shards. */
    public FixedView(
            Supplier<NodeStatus> currentStatus, Supplier<CompletableFuture<OrderSnapshot>> currentTransactions) {
        this(currentStatus, currentTransactions, ShardRequests.NO_SHARDS);
    }

    /** A view without schema changes. */
    public FixedView(
            Supplier<NodeStatus> currentStatus,
            Supplier<CompletableFuture<OrderSnapshot>> currentTransactions,
            ShardRequests shards) {
        this(currentStatus, currentTransactions, shards, SchemaChangeAccess.none("not used here"));
    }

    /** A view that has schema changes only. */
    public static FixedView changing(SchemaChangeAccess changes) {
        return new FixedView(() -> null, () -> null, ShardRequests.NO_SHARDS, changes);
    }

    @Override
    public NodeStatus status() {
        return currentStatus.get();
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return currentTransactions.get();
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return changes;
    }

    @Override
    public ShardRequests shardRequests() {
        return shards;
    }
}
