package io.tributary.testkit.workload;

import java.util.List;

/**
 * What a bank has done since its start.
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

    /** Committed local and XA transactions: as many as must come out. */
    public long committed() {
        return localPerShard.stream().mapToLong(Long::longValue).sum() + xa;
    }
}
