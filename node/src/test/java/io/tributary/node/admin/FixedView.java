package io.tributary.node.admin;

import io.tributary.collector.order.OrderSnapshot;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A node that says what a test wants. */
public record FixedView(Supplier<NodeStatus> says, Supplier<CompletableFuture<OrderSnapshot>> holds)
        implements NodeView {
    @Override
    public NodeStatus status() {
        return says.get();
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return holds.get();
    }
}
