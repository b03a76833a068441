package io.tributary.collector.order;

import io.tributary.common.pipeline.Bell;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Lets other threads ask for a picture of what the order holds without a lock: a request lies here until the thread that orders
 * comes by and answers it. While nobody asks that costs one volatile read.
 */
public final class Inquiry {
    private final AtomicReference<CompletableFuture<OrderSnapshot>> asked = new AtomicReference<>();
    private final Bell bell = new Bell();
    private final CompletableFuture<OrderSnapshot> over =
            CompletableFuture.failedFuture(new IllegalStateException("the pipeline has ended"));

    /**
     * Asks; any thread. The answer is completed by the thread that orders: what follows is to run on another one. It fails when
     * the order has ended.
     */
    public CompletableFuture<OrderSnapshot> ask() {
        CompletableFuture<OrderSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<OrderSnapshot> before = asked.compareAndExchange(null, mine);
        bell.ring();
        return (before == null ? mine : before).copy();
    }

    /** The thread that orders: answers if somebody has asked; where the picture throws IllegalStateException, with that. */
    public void answer(Supplier<OrderSnapshot> picture) {
        if (asked.get() == null) {
            bell.listen();
            return;
        }
        CompletableFuture<OrderSnapshot> answer = asked.getAndSet(null);
        try {
            answer.complete(picture.get());
        } catch (IllegalStateException e) {
            answer.completeExceptionally(e);
        }
    }

    /** The thread that orders: nobody will answer any more. */
    public void close() {
        CompletableFuture<OrderSnapshot> last = asked.getAndSet(over);
        if (last != null) {
            last.completeExceptionally(new IllegalStateException("the pipeline has ended"));
        }
    }
}
