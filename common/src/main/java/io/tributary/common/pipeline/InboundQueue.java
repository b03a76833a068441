package io.tributary.common.pipeline;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What other threads bring for the one that polls, which they wake. Has no bound of its own: whoever uses it bounds what may come. */
public final class Arrivals<T> implements Inlet<T> {
    private final Queue<T> items = new ConcurrentLinkedQueue<>();
    private final Bell bell = new Bell();

    /** Any thread. */
    public void add(T item) {
        items.add(item);
        bell.ring();
    }

    /** Something that the polling thread looks at has changed, though nothing was added; any thread. */
    public void ring() {
        bell.ring();
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
            bell.listen();
        }
        return item;
    }
}
