package io.tributary.collector.order;

import java.util.List;

/**
 * What the order held at one moment.
 *
 * @param total distributed transactions that were not emitted
 * @param transactions the oldest of them, the oldest first
 */
public record OrderSnapshot(int total, List<HeldTransaction> transactions) {
    public OrderSnapshot {
        transactions = List.copyOf(transactions);
    }
}
