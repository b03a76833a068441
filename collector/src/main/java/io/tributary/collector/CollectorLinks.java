package io.tributary.collector;

import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Token;
import java.util.function.LongSupplier;

/**
 * What links the collector to the stages before and after it, and to the writer of rounds.
 *
 * @param tokens merged tokens; the collector becomes their only reader and owns their payload
 * @param chunks receives batches, large transactions in pieces, and a cut after each; numbers start at 1
 * @param rounds notified while a transaction waits for a round
 * @param epoch the epoch of the writer of rounds; the collector's thread reads it for each cut
 */
public record CollectorLinks(Inlet<Token> tokens, Outlet<Chunk> chunks, RoundRequest rounds, LongSupplier epoch) {}
