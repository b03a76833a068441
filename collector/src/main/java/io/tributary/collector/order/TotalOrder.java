package io.tributary.collector.order;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;

/**
 * One order of whole transactions out of the tokens of all shards, whatever their interleaving as long as each shard's own order is
 * kept. Told nothing but tokens and the time; gives transactions to its {@link Emission} and says cuts. For one thread.
 */
public interface TotalOrder extends AutoCloseable {
    /** Takes a token, whose payload belongs to this object from here on. {@link #process} does the rest. */
    void receive(Token token);

    /**
     * Goes one step on.
     *
     * @return whether there was one; at most one transaction is emitted
     */
    boolean process();

    /** The shards that come and go. */
    Membership membership();

    /** Whether a transaction waits for a heartbeat round. */
    boolean awaitsRound();

    /** Tokens that were received and not processed. */
    int queued();

    /** Transactions that have been in doubt for long. */
    int inDoubt();

    /** How long the oldest distributed transaction has not been emitted, as of the last tick, ns; 0 when all are. */
    long oldestNanos();

    /**
     * What is held as of the last tick.
     *
     * @param most how many transactions are described, the oldest
     * @param epochMicros the time now
     */
    OrderSnapshot snapshot(int most, long epochMicros);

    /** The commit time of what was processed last from a shard, µs since 1970; 0 while there is none. */
    long commitMicros(int shard);

    /** Tells the time; to be called now and then. */
    void tick(long nanoTime);

    /** The cut as of now: what was processed, and where to resume. */
    Cut cut(long epoch, long number, long transactions, long tableIds);

    /** Gives back the payload of all that was not emitted. */
    @Override
    void close();
}
