package io.tributary.collector.order;

import java.util.List;

/**
 * What the order held at one moment.
 *
 * @param total distributed transactions that were not emitted
 * @param transactions the oldest of them, the oldest first
 * @param waits in words, what else waits and for whom, and where to look further
 */
public record OrderSnapshot(int total, List<HeldTransaction> transactions, List<String> waits) {
    public OrderSnapshot {
        transactions = List.copyOf(transactions);
        waits = List.copyOf(waits);
    }

    /** All that waits are the transactions. */
    public OrderSnapshot(int total, List<HeldTransaction> transactions) {
        this(total, transactions, List.of());
    }
}
