package io.tributary.collector.order;

import io.tributary.collector.schema.DueStatement;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;

/**
 * Receives whole transactions in global order. It owns everything that it is given, also the payload of each token, once the call returns. If a call
 * throws, nothing was accepted.
 */
public interface TransactionSink {
    /**
     * Why the rows of a token cannot be written now, so that its shard is held; null if they can.
     *
     * @param token LOCAL or PREPARE; stays the caller's
     */
    Question questionOf(Token token);

    /** Writes a local transaction. */
    void local(Token token);

    /** Writes a distributed transaction; its branches hold their tokens only during the call. Returns a number of its choice. */
    long distributed(DistributedTransaction transaction);

    /**
     * Writes a DDL statement.
     *
     * @param written which of its parts are written; rows that follow them are written in any case
     */
    void ddl(Token token, boolean[] written);

    /** Writes a statement without a token: the last member that lacked it has been removed. */
    void statement(DueStatement statement);

    /**
     * The commit of an emitted transaction has been processed on one of its shards: transactions after it on this shard may depend on it.
     *
     * @param number the value that {@link #distributed(DistributedTransaction)} returned for the transaction
     */
    void committed(Token commit, long number);
}
