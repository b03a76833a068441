package io.tributary.collector.order.tso;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard that joins in `tso` order, until it is in the cut. Transactions that it logged up to its frontier are not part of the output, except
 * branches that were decided after the frontier: these are gaps in the shard's GTIDs in a cut. They are known once everything up to the frontier has
 * left the extractor's sort, so nothing of the shard is emitted before that.
 */
final class TsoJoiningShard {
    private final ShardCut from;
    private final GtidSet.Builder gaps = GtidSet.EMPTY.toBuilder();
    private final List<Ddl> hadBefore = new ArrayList<>(0);
    private final List<Token> kept = new ArrayList<>();
    private long toRead;
    private boolean hasRound;

    TsoJoiningShard(ShardCut from) {
        this.from = from;
        this.toRead = from.frontier().minus(from.resume()).count();
    }

    /**
     * Accepts the shard's next token.
     *
     * @return whether the shard counts from now on: everything up to the frontier is known, and a round was received after it
     */
    boolean accept(Token token) {
        if (!from.frontier().contains(token.sid(), token.gno())) {
            hasRound |= token.kind() == TokenKind.ROUND;
            kept.add(token);
            return isThere();
        }
        toRead--;
        if (token.kind() == TokenKind.PREPARE) { // its decision is after the frontier: the extractor sends no others
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

    /** The state from which it counts: none of {@link #kept} is in it. */
    ShardCut cut() {
        GtidSet processed = from.frontier().minus(gaps.build());
        return new ShardCut(
                from.name(),
                from.serverUuid(),
                new ResumePosition(processed, from.file(), from.offset()),
                processed,
                from.round(),
                from.key(),
                from.leftOutGtids());
    }

    /** DDL statements that it logged up to its frontier, as far as it was read. */
    List<Ddl> hadBefore() {
        return hadBefore;
    }

    /** The tokens that count, in the shard's order; the caller owns their payload. */
    List<Token> kept() {
        return kept;
    }

    /** The shard does not join: releases the payload. */
    void close() {
        kept.forEach(Token::release);
        kept.clear();
    }
}
