package io.tributary.node.command.order;

import io.tributary.common.value.Cut;
import java.util.List;

/**
 * The binlog between two adjacent cuts.
 *
 * @param lead an earlier cut with the same shards, or {@code before}: reading a shard begins there, because the commit times of a stream depend on those
 *     directly before
 * @param before the cut before the transactions
 * @param transactions in the order of their numbers; may be empty
 * @param after the cut after the transactions
 */
record Interval(Cut lead, Cut before, List<Written> transactions, Cut after) {
    /**
     * A transaction of the binlog.
     *
     * @param gno its number
     * @param micros its commit time, µs since 1970; 0 for a statement that was written when several shards had it
     * @param isStatement whether it is a statement, not rows
     * @param digest see {@link RowsDigest}
     */
    record Written(long gno, long micros, boolean isStatement, long digest) {}

    Interval {
        transactions = List.copyOf(transactions);
    }

    /** Whether a transaction is in it. */
    boolean contains(long gno) {
        return before.transactions() < gno && gno <= after.transactions();
    }
}
