package io.tributary.common.pipeline;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A queue from any threads to one polling thread, which each addition wakes. It is unbounded: its user limits the number of items. */
public final class InboundQueue<T> implements Inlet<T> {
    private final Queue<T> items = new ConcurrentLinkedQueue<>();
    private final Wakeup wakeup = new Wakeup();

    /** Any thread. */
    public void add(T item) {
        items.add(item);
        wakeup.ring();
    }

    /** Wakes the polling thread because another condition that it checks has changed; any thread. */
    public void ring() {
        wakeup.ring();
    }

    /** Any thread. */
    public boolean isEmpty() {
        return items.isEmpty();
    }

    @Override
    public T peek() {
        return noted(items.peek());
    }

    @Override
    public T poll() {
        return noted(items.poll());
    }

    private T noted(T item) {
        if (item == null) {
            wakeup.listen();
        }
        return item;
    }
}
