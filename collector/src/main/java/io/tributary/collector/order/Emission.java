package io.tributary.collector.order;

import io.tributary.common.value.Token;

/**
 * Takes whole transactions in global order. What it is given it owns, the payload of each token included, once the call
 * returns; when a call throws, nothing was taken.
 */
public interface Emission {
    /** A local transaction. */
    void local(Token token);

    /** A distributed transaction; its branches hold their tokens only during the call. Returns a number of its choice. */
    long distributed(Distributed transaction);

    /** A DDL statement at its first arrival. */
    void ddl(Token token);

    /**
     * The commit of an emitted transaction has been processed on one of its shards: it counts from now on for what follows
     * there.
     *
     * @param number what {@link #distributed(Distributed)} returned for the transaction
     */
    void committed(Token commit, long number);
}
