package io.tributary.collector.order.tso;

import java.util.Arrays;

/** One number for each shard, and the smallest of them; a change costs at most one comparison for each level. */
final class MinimumTree {
    private final int leaves;
    private final long[] nodes;

    MinimumTree(long[] numbers) {
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, numbers.length - 1)) << 1);
        nodes = new long[2 * leaves];
        Arrays.fill(nodes, Long.MAX_VALUE);
        for (int i = 0; i < numbers.length; i++) {
            set(i, numbers[i]);
        }
    }

    void set(int index, long number) {
        int node = leaves + index;
        nodes[node] = number;
        for (node >>>= 1; node > 0; node >>>= 1) {
            long least = Math.min(nodes[2 * node], nodes[2 * node + 1]);
            if (nodes[node] == least) {
                return;
            }
            nodes[node] = least;
        }
    }

    long minimum() {
        return nodes[1];
    }
}
