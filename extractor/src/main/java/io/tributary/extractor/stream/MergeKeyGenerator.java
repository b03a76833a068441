package io.tributary.extractor.stream;

import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;

/**
 * The generator of the merge keys of one shard's tokens (ordering.md). A key consists of the window that the last round opened and the time
 * in it. A key is never smaller than the previous one; commit times are made strictly increasing.
 *
 * <p>Transactions that are read again below a cut's frontier begin with small keys, so that the merge takes them first. Transactions after the
 * frontier continue from the cut's own key.
 */
final class MergeKeyGenerator {
    private final long frontierRound;
    private final long frontierKey;
    private long window;
    private long baseMicros;
    private boolean hasBase;
    private long lastMicros;
    private long lastKey;

    MergeKeyGenerator(ShardCut cut) {
        this.frontierRound = cut.round();
        this.frontierKey = cut.key();
        this.window = 1;
        if (cut.resume().equals(cut.frontier())) {
            passFrontier();
        }
    }

    /** The next transactions are after the cut's frontier. */
    void passFrontier() {
        window = Math.max(window, frontierRound + 1);
        lastKey = Math.max(lastKey, frontierKey);
    }

    /** The commit time, µs, made larger than any earlier one; 0 stays 0. */
    long commitMicros(long micros) {
        if (micros == 0) {
            return 0;
        }
        lastMicros = Math.max(lastMicros + 1, micros);
        return lastMicros;
    }

    /** @param micros commit time from {@link #commitMicros}, or the event's own timestamp if there is none */
    long next(long micros) {
        if (!hasBase) {
            baseMicros = micros;
            hasBase = true;
        }
        lastKey = Math.max(lastKey, Token.key(window, micros - baseMicros));
        return lastKey;
    }

    /** The key of a correction, which follows the frontier: the key of the frontier, so that it comes before what waits on other shards. */
    long correction() {
        return lastKey;
    }

    /** A round has been read; the next window begins after it. */
    void roundRead(long round, long writerMicros) {
        window = Math.max(window, round + 1);
        baseMicros = writerMicros;
        hasBase = true;
    }
}
