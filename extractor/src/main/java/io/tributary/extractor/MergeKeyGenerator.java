package io.tributary.extractor;

import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;

/**
 * The merge keys of one shard's tokens (ordering.md): the window that the last round opened, and the time in it. A key is never
 * smaller than the one before; commit times are made strictly increasing.
 *
 * <p>What is read again below a cut's frontier begins with small keys, so that the merge takes it first; what follows the frontier
 * goes on from the cut's own key.
 */
final class MergeKeys {
    private final long frontierRound;
    private final long frontierKey;
    private long window;
    private long baseMicros;
    private boolean hasBase;
    private long lastMicros;
    private long lastKey;

    MergeKeys(ShardCut cut) {
        this.frontierRound = cut.round();
        this.frontierKey = cut.key();
        this.window = 1;
        if (cut.resume().equals(cut.frontier())) {
            behindFrontier();
        }
    }

    /** What comes now lies behind the cut's frontier. */
    void behindFrontier() {
        window = Math.max(window, frontierRound + 1);
        lastKey = Math.max(lastKey, frontierKey);
    }

    /** The commit time, µs, made larger than any before; 0 stays 0. */
    long commitMicros(long micros) {
        if (micros == 0) {
            return 0;
        }
        lastMicros = Math.max(lastMicros + 1, micros);
        return lastMicros;
    }

    /** @param micros commit time as {@link #commitMicros} gave it, or the event's own timestamp where there is none */
    long next(long micros) {
        if (!hasBase) {
            baseMicros = micros;
            hasBase = true;
        }
        lastKey = Math.max(lastKey, Token.key(window, micros - baseMicros));
        return lastKey;
    }

    /** A round has been read; the next window begins behind it. */
    void roundRead(long round, long writerMicros) {
        window = Math.max(window, round + 1);
        baseMicros = writerMicros;
        hasBase = true;
    }
}
