package io.tributary.collector.order;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard that joins in `tso` order, until it stands in the cut. What it logged up to its frontier is no part of the output, but for
 * branches that were decided behind it: these are gaps in what a cut says of it. They are known once all up to the frontier has left
 * the extractor's sort, and that is why nothing of the shard comes out before.
 */
final class TsoArrival {
    private final ShardCut from;
    private final GtidSet.Builder gaps = GtidSet.EMPTY.toBuilder();
    private final List<Ddl> hadBefore = new ArrayList<>(0);
    private final List<Token> kept = new ArrayList<>();
    private long toRead;
    private boolean hasRound;

    TsoArrival(ShardCut from) {
        this.from = from;
        this.toRead = from.frontier().minus(from.resume()).count();
    }

    /**
     * Takes the shard's next token.
     *
     * @return whether the shard counts from now on: all up to the frontier is known, and a round has come behind it
     */
    boolean take(Token token) {
        if (!from.frontier().contains(token.sid(), token.gno())) {
            hasRound |= token.kind() == TokenKind.ROUND;
            kept.add(token);
            return isThere();
        }
        toRead--;
        if (token.kind()
                == TokenKind.PREPARE) { // its decision stands behind the frontier: the extractor lets no other one out
            gaps.add(token.sid(), token.gno());
            kept.add(token);
        } else {
            if (token.ddl() != null) {
                hadBefore.add(token.ddl());
            }
            token.release();
        }
        return isThere();
    }

    private boolean isThere() {
        return toRead == 0 && hasRound;
    }

    /** Where it counts from: nothing of {@link #kept} is in it. */
    ShardCut cut() {
        GtidSet processed = from.frontier().minus(gaps.build());
        return new ShardCut(
                from.name(),
                from.serverUuid(),
                processed,
                processed,
                from.file(),
                from.offset(),
                from.round(),
                from.key(),
                from.leftOut(),
                from.leftOutIfRefused());
    }

    /** DDL statements that it logged up to its frontier, as far as it was read. */
    List<Ddl> hadBefore() {
        return hadBefore;
    }

    /** What counts, in the shard's order; who takes it owns its payload. */
    List<Token> kept() {
        return kept;
    }

    /** It does not come: gives back the payload. */
    void close() {
        kept.forEach(Token::release);
        kept.clear();
    }
}
