package io.tributary.node.admin;

import io.tributary.collector.order.OrderSnapshot;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A node that says what a test wants. */
public record FixedView(
        Supplier<NodeStatus> says, Supplier<CompletableFuture<OrderSnapshot>> holds, ShardRequests shards)
        implements NodeView {
    /** One that takes no requests for shards. */
    public FixedView(Supplier<NodeStatus> says, Supplier<CompletableFuture<OrderSnapshot>> holds) {
        this(says, holds, ShardRequests.NO_SHARDS);
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
    public ShardRequests shardRequests() {
        return shards;
    }
}
