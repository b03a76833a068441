package io.tributary.collector.order;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;

/**
 * Puts the tokens of all shards into one order of whole transactions. The tokens of different shards may be interleaved in any way, as long as each
 * shard's own order is kept. Its only inputs are tokens and the time. It hands transactions to its {@link TransactionSink} and returns cuts. For one
 * thread.
 */
public interface TotalOrder extends AutoCloseable {
    /** Receives a token, whose payload is owned by this object from now on. {@link #process} does the rest. */
    void receive(Token token);

    /**
     * Executes one step.
     *
     * @return whether there was one; at most one transaction is emitted
     */
    boolean process();

    /** The shards that join and leave. */
    OrderMembership membership();

    /** Whether a transaction waits for a heartbeat round. */
    boolean awaitsRound();

    /** Tokens that were received and not processed. */
    int queued();

    /** Transactions that have been in doubt for long. */
    int inDoubt();

    /** The age of the oldest distributed transaction that is not emitted, as of the last tick, ns; 0 when all are. */
    long oldestNanos();

    /**
     * The state as of the last tick.
     *
     * @param most how many transactions are described, the oldest first
     * @param epochMicros the time now
     */
    OrderSnapshot snapshot(int most, long epochMicros);

    /** The commit time of the last processed transaction of a shard, µs since 1970; 0 while there is none. */
    long commitMicros(int shard);

    /** Sets the time; call this regularly. */
    void tick(long nanoTime);

    /** The cut as of now: what was processed, and where to resume. */
    Cut cut(long epoch, long number, long transactions, long tableIds);

    /** Releases the payload of all transactions that were not emitted. */
    @Override
    void close();
}
