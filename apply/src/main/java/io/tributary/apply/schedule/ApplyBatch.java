package io.tributary.apply.schedule;

import io.tributary.common.gtid.Gtid;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.ArrayList;
import java.util.List;

/** Consecutive transactions of the stream that one session applies together. */
public final class ApplyBatch {
    private final long number;
    private final long previous;
    private final List<ReplayTransaction> transactions;
    private final long bytes;

    // ---- of the schedule, guarded by its lock

    final List<ApplyBatch> dependents = new ArrayList<>();
    int dependencies;
    long takenAt;

    /** Written under the lock, read by any thread. */
    private volatile boolean isFinished;

    /**
     * @param number 1 for the first batch of a schedule, then 2, 3, ...
     * @param previous number of the transaction that is before the first one in the stream, 0 if there is none or it is not known
     * @param transactions at least one, in the order of the stream
     */
    public ApplyBatch(long number, long previous, List<ReplayTransaction> transactions) {
        this.number = number;
        this.previous = previous;
        this.transactions = List.copyOf(transactions);
        this.bytes = transactions.stream().mapToLong(ReplayTransaction::bytes).sum();
    }

    /** Its place among all batches, from 1. */
    public long number() {
        return number;
    }

    /** The number, in its GTID, of the transaction before the first one; 0 if there is none or it is not known. */
    public long previous() {
        return previous;
    }

    public List<ReplayTransaction> transactions() {
        return transactions;
    }

    /** The GTID of its first transaction. */
    public Gtid first() {
        return transactions.get(0).gtid();
    }

    /** The last transaction. */
    public ReplayTransaction last() {
        return transactions.get(transactions.size() - 1);
    }

    /** Bytes of its events, and some more for each transaction. */
    public long bytes() {
        return bytes;
    }

    /** Whether it has committed on the target; any thread. */
    public boolean isFinished() {
        return isFinished;
    }

    /** It has committed; with the schedule's lock. */
    void finish() {
        isFinished = true;
    }

    /** For messages. */
    @Override
    public String toString() {
        return transactions.size() == 1
                ? last().toString()
                : "transactions " + first() + " to " + last().gtid().gno() + ", the last one: " + last();
    }
}
