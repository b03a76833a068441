package io.tributary.collector.order;

import java.util.Arrays;

/** The shards that have tokens to process and do not wait: a heap with the smallest key (then the lowest shard) at the top. */
public final class RunnableShards {
    private ShardState[] heap;
    private int size;

    public RunnableShards(int shards) {
        heap = new ShardState[Math.max(1, shards)];
    }

    /** The shard whose token is next, or null. */
    public ShardState first() {
        return size == 0 ? null : heap[0];
    }

    public void add(ShardState state) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (heap[parent].isBefore(state)) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = state;
    }

    public void removeFirst() {
        ShardState last = heap[--size];
        heap[size] = null;
        if (size > 0) {
            sink(last);
        }
    }

    private void sink(ShardState state) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (state.isBefore(heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = state;
    }
}
