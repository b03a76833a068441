package io.tributary.collector.order;

import java.util.Arrays;

/** The shards that have tokens to process and do not wait: a heap, the smallest key (then the lowest shard) on top. */
final class RunnableLines {
    private ShardLine[] heap;
    private int size;

    RunnableLines(int shards) {
        heap = new ShardLine[Math.max(1, shards)];
    }

    /** The shard whose token is next, or null. */
    ShardLine first() {
        return size == 0 ? null : heap[0];
    }

    void add(ShardLine line) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (heap[parent].isBefore(line)) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = line;
    }

    void removeFirst() {
        ShardLine last = heap[--size];
        heap[size] = null;
        if (size > 0) {
            sink(last);
        }
    }

    private void sink(ShardLine line) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (line.isBefore(heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = line;
    }
}
