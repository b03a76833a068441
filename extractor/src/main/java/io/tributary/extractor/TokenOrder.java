package io.tributary.extractor;

import io.tributary.common.value.Token;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** In which order one shard's tokens leave the extractor. One for each order mode. */
interface Departure extends AutoCloseable {
    /** Whether a round says what stands in front of it in the log, because it leaves in another order. */
    boolean marksRounds();

    /** What the token says of its TSO, as far as it is known when it is read. */
    long tso(OpenTransaction transaction);

    /**
     * Takes the next token of the log, its payload included.
     *
     * @param transaction what the token was made of
     */
    void put(Token token, OpenTransaction transaction);

    /** Whether the log is to be read on; tokens that are taken already never stand in the way of one more. */
    boolean hasRoom();

    /** Sends tokens that have come to wait for room only; how many. */
    int release();

    /** The branches for whose decision tokens wait here, the oldest first; any thread. */
    CompletableFuture<List<UndecidedBranch>> undecided();

    /** Gives back what has not left. */
    @Override
    void close();
}
