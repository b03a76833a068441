package io.tributary.node.admin;

import io.tributary.collector.order.OrderSnapshot;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A node that says what a test wants. */
public record FixedView(
        Supplier<NodeStatus> says,
        Supplier<CompletableFuture<OrderSnapshot>> holds,
        ShardRequests shards,
        SchemaChanges changes)
        implements NodeView {
    /** One that takes no requests for shards. */
    public FixedView(Supplier<NodeStatus> says, Supplier<CompletableFuture<OrderSnapshot>> holds) {
        this(says, holds, ShardRequests.NO_SHARDS);
    }

    /** One that has no schema changes. */
    public FixedView(
            Supplier<NodeStatus> says, Supplier<CompletableFuture<OrderSnapshot>> holds, ShardRequests shards) {
        this(says, holds, shards, SchemaChanges.none("nobody asks"));
    }

    /** One that is asked for schema changes only. */
    public static FixedView changing(SchemaChanges changes) {
        return new FixedView(() -> null, () -> null, ShardRequests.NO_SHARDS, changes);
    }

    @Override
    public NodeStatus status() {
        return says.get();
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return holds.get();
    }

    @Override
    public SchemaChanges schemaChanges() {
        return changes;
    }

    @Override
    public ShardRequests shardRequests() {
        return shards;
    }
}
