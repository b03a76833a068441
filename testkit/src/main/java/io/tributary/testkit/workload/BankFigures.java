package io.tributary.testkit.workload;

import java.util.List;

/**
 * The counts of a bank workload since its start.
 *
 * @param localPerShard committed local transactions of each shard
 * @param branchesPerShard committed XA branches of each shard
 * @param xa committed XA transactions
 * @param rolledBack transactions that ended in a rollback, by deadlock, timeout or a lost shard
 * @param unknown local transactions whose connection was lost at the commit
 */
public record BankFigures(
        List<Long> localPerShard, List<Long> branchesPerShard, long xa, long rolledBack, long unknown) {
    public BankFigures {
        localPerShard = List.copyOf(localPerShard);
        branchesPerShard = List.copyOf(branchesPerShard);
    }

    /** The number of committed local and XA transactions, which must all be in the output. */
    public long committed() {
        return localPerShard.stream().mapToLong(Long::longValue).sum() + xa;
    }
}
