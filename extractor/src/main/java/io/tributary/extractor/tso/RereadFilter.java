package io.tributary.extractor.tso;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;

/** The filter of transactions that are read again although they are below a cut's frontier. */
final class RereadFilter {
    private final GtidSet frontier;
    private long left;

    RereadFilter(ShardCut from) {
        this.frontier = from.frontier();
        this.left = frontier.minus(from.resume()).count();
    }

    /** Whether a token is below the frontier; called once for each token that is read. */
    boolean has(Token token) {
        if (left == 0 || !frontier.contains(token.sid(), token.gno())) {
            return false;
        }
        left--;
        return true;
    }
}
