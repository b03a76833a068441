package io.tributary.collector.order;

import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes last_committed of the output transactions from the shards' own values (ordering.md, "Parallel replay"): a transaction may run in parallel
 * with all transactions with which its shards let it run in parallel. Output numbers continue across files, and last_committed is always smaller than
 * the transaction's own number.
 */
public final class LogicalClock {
    private final boolean isParallel;
    private final List<SourceClock> shards = new ArrayList<>();

    /** All transactions depend on this one: the last DDL statement or correction, or the last one before the cut. */
    private long floor;

    /**
     * @param before the number of the newest output transaction before the cut
     * @param isParallel whether any transactions may run in parallel
     */
    public LogicalClock(int shards, long before, boolean isParallel) {
        this.isParallel = isParallel;
        this.floor = before;
        for (int shard = 0; shard < shards; shard++) {
            this.shards.add(new SourceClock());
        }
    }

    /** Adds a shard, which may have been a member before: everything after this depends on everything before. */
    public void join(int shard, long before) {
        while (shards.size() <= shard) {
            shards.add(new SourceClock());
        }
        floor = before;
    }

    /** last_committed of a local transaction with this number. A correction is alone, like a DDL statement: it may concern keys of other shards. */
    public long local(Token token, long number) {
        if (token.lastCommitted() == LoggedTransaction.ALONE) {
            return ddl(number);
        }
        SourceClock shard = shards.get(token.shard());
        long depends = shard.dependency(token.file(), token.lastCommitted(), token.sequenceNumber());
        shard.add(token.file(), token.sequenceNumber(), number);
        return lastCommitted(depends, number);
    }

    /** last_committed of a distributed transaction; its branches depend on others by their PREPAREs. */
    public long distributed(DistributedTransaction transaction, long number) {
        long depends = 0;
        for (Branch branch : transaction.branches()) {
            Token prepare = branch.prepare();
            long one = shards.get(prepare.shard())
                    .dependency(prepare.file(), prepare.lastCommitted(), prepare.sequenceNumber());
            depends = Math.max(depends, one);
        }
        return lastCommitted(depends, number);
    }

    /** A distributed transaction counts on a shard by its COMMIT there. */
    public void committed(Token commit, long number) {
        shards.get(commit.shard()).add(commit.file(), commit.sequenceNumber(), number);
    }

    /** last_committed of a DDL statement: it depends on everything before it, and everything after it depends on it. */
    public long ddl(long number) {
        floor = number;
        return number - 1;
    }

    private long lastCommitted(long depends, long number) {
        return isParallel ? Math.max(floor, depends) : number - 1;
    }
}
