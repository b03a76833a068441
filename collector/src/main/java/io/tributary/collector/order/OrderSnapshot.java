package io.tributary.collector.order;

import java.util.List;

/**
 * The state of the order at one moment.
 *
 * @param total distributed transactions that were not emitted
 * @param transactions the oldest of them, the oldest first
 * @param waits other work that waits, for which shard it waits, and where to check next, as text
 */
public record OrderSnapshot(int total, List<HeldTransaction> transactions, List<String> waits) {
    public OrderSnapshot {
        transactions = List.copyOf(transactions);
        waits = List.copyOf(waits);
    }

    /** Only the transactions wait. */
    public OrderSnapshot(int total, List<HeldTransaction> transactions) {
        this(total, transactions, List.of());
    }
}
