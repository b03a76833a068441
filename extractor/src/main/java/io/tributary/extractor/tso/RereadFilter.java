package io.tributary.extractor.tso;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;

/** What is read although it is below a cut's frontier. */
final class Frontier {
    private final GtidSet frontier;
    private long left;

    Frontier(ShardCut from) {
        this.frontier = from.frontier();
        this.left = frontier.minus(from.resume()).count();
    }

    /** Whether a token that has been read, each once, is below. */
    boolean has(Token token) {
        if (left == 0 || !frontier.contains(token.sid(), token.gno())) {
            return false;
        }
        left--;
        return true;
    }
}
