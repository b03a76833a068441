package io.tributary.extractor;

import io.tributary.common.value.Token;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The order in which one shard's tokens leave the extractor. One implementation per order mode. */
public interface TokenOrder extends AutoCloseable {
    /** Whether a round's token contains the position before it in the log, because tokens leave in another order. */
    boolean marksRounds();

    /** The TSO of the token, as far as it is known when the transaction is read. */
    long tso(TransactionState transaction);

    /**
     * Adds the next token of the log, including its payload.
     *
     * @param transaction the transaction of the token
     */
    void put(Token token, TransactionState transaction);

    /** Whether another token may be added. Tokens that wait for a branch never prevent that. */
    boolean hasRoom();

    /** Sends tokens that wait only for room; returns their number. */
    int release();

    /** The undecided branches for which tokens wait here, the oldest first; any thread. */
    CompletableFuture<List<UndecidedBranch>> undecided();

    /** Releases the tokens that have not left. */
    @Override
    void close();
}
