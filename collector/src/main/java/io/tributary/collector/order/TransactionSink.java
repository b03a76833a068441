package io.tributary.collector.order;

import io.tributary.collector.schema.DueStatement;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;

/**
 * Takes whole transactions in global order. What it is given it owns, the payload of each token included, once the call
 * returns; when a call throws, nothing was taken.
 */
public interface Emission {
    /**
     * Why the rows of a token cannot be written now, so that its shard is held; null when they can.
     *
     * @param token LOCAL or PREPARE; stays the caller's
     */
    Question questionOf(Token token);

    /** A local transaction. */
    void local(Token token);

    /** A distributed transaction; its branches hold their tokens only during the call. Returns a number of its choice. */
    long distributed(Distributed transaction);

    /**
     * A DDL statement.
     *
     * @param written which of its parts are written; rows that follow them are written in any case
     */
    void ddl(Token token, boolean[] written);

    /** A statement that is written without a token: its last member is there no more. */
    void statement(DueStatement statement);

    /**
     * The commit of an emitted transaction has been processed on one of its shards: it counts from now on for what follows
     * there.
     *
     * @param number what {@link #distributed(Distributed)} returned for the transaction
     */
    void committed(Token commit, long number);
}
