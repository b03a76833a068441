package io.tributary.collector.order;

import io.tributary.common.pipeline.Wakeup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A request of other threads for a snapshot of the order, without a lock. The request is kept here until the thread that orders calls
 * {@link #answer}. Without a request that call costs one volatile read.
 */
public final class SnapshotRequest {
    private final AtomicReference<CompletableFuture<OrderSnapshot>> pending = new AtomicReference<>();
    private final Wakeup wakeup = new Wakeup();
    private final CompletableFuture<OrderSnapshot> over =
            CompletableFuture.failedFuture(new IllegalStateException("the pipeline has ended"));

    /**
     * Requests a snapshot; any thread. The thread that orders completes the future; run dependent actions on another thread. It fails if the order
     * has ended.
     */
    public CompletableFuture<OrderSnapshot> ask() {
        CompletableFuture<OrderSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<OrderSnapshot> before = pending.compareAndExchange(null, mine);
        wakeup.ring();
        return (before == null ? mine : before).copy();
    }

    /** Called by the thread that orders: answers a pending request. If the snapshot throws IllegalStateException, the request fails with it. */
    public void answer(Supplier<OrderSnapshot> snapshot) {
        if (pending.get() == null) {
            wakeup.listen();
            return;
        }
        CompletableFuture<OrderSnapshot> answer = pending.getAndSet(null);
        try {
            answer.complete(snapshot.get());
        } catch (IllegalStateException e) {
            answer.completeExceptionally(e);
        }
    }

    /** Called by the thread that orders: fails the pending request and all later ones. */
    public void close() {
        CompletableFuture<OrderSnapshot> last = pending.getAndSet(over);
        if (last != null) {
            last.completeExceptionally(new IllegalStateException("the pipeline has ended"));
        }
    }
}
