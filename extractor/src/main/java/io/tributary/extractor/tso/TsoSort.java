package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Sorts one shard's tokens by TSO. What it builds on: a branch that was prepared behind a commit in the log has a larger TSO than that
 * commit. So a commit may leave when every branch prepared before it that could have a smaller TSO has been decided. A log that breaks
 * this is refused, whether or not the order of this shard could be mended: another shard may have gone on already.
 *
 * <p>A branch leaves when it has been decided: its PREPARE with the payload, directly behind it its COMMIT, both with its TSO. What
 * has no TSO of its own (local transactions, rounds, DDL) leaves directly behind the largest TSO that was committed
 * before it. For one thread.
 */
public final class TsoSort implements AutoCloseable {
    private final LongConsumer committed;
    private final Frontier frontier;
    private final Holes holes = new Holes();
    private final TsoLine line = new TsoLine();

    /** Every TSO up to this one is prepared or decided in what was read; the next branch that is prepared has a larger one. */
    private long watermark;

    private Token newest;

    /**
     * @param shard where the shard goes on; what is read again below its frontier counts only where it is decided behind that
     * @param from the TSO of the cut from which the shard goes on
     * @param committed told each TSO that is read as committed
     */
    public TsoSort(ShardCut shard, long from, LongConsumer committed) {
        this.frontier = new Frontier(shard);
        this.watermark = from;
        this.committed = committed;
    }

    /**
     * Takes the next token of the log, whose payload belongs to this object until it leaves.
     *
     * @param token with the TSO that its own GTID carries, else 0 or less
     * @param roundTso of a ROUND: every TSO up to this one had been prepared everywhere, or given up, before it was written
     * @param nanoTime about now
     * @throws TributaryException TSO_REFUSED, BRANCH_UNKNOWN or ORDER_CONTRADICTION; all payload is still given back, by {@link #close()} at last
     */
    public void put(Token token, long roundTso, long nanoTime) {
        try {
            if (frontier.has(token)) {
                pass(token, nanoTime);
            } else {
                take(token, roundTso, nanoTime);
            }
        } catch (TributaryException e) {
            token.release();
            throw e;
        }
        line.settle(holes.least(), watermark);
    }

    private void take(Token token, long roundTso, long nanoTime) {
        switch (token.kind()) {
            case PREPARE -> prepare(token, nanoTime);
            case COMMIT -> commit(token);
            case ROLLBACK -> rollBack(token);
            case LOCAL, SKIPPED -> local(token);
            case ROUND -> round(token, roundTso);
            case DDL -> behind(token);
        }
    }

    /** What ended in front of the place where the shard counts says nothing, of TSOs neither; a branch may be decided behind it. */
    private void pass(Token token, long nanoTime) {
        switch (token.kind()) {
            case PREPARE -> prepare(token, nanoTime);
            case DDL -> behind(token);
            default -> {
                Hole hole = token.xid() == null ? null : holes.decided(token.xid());
                if (hole != null) {
                    hole.prepare().release();
                    behind(hole.prepare().skipped());
                }
                token.release();
                behind(token.skipped());
            }
        }
    }

    /** One that comes too late for its TSO is no error yet: its coordinator gave it up and has to roll it back. Its COMMIT is one. */
    private void prepare(Token token, long nanoTime) {
        holes.prepared(token, watermark, nanoTime);
    }

    private void commit(Token token) {
        Hole hole = holes.decided(token.xid());
        if (hole == null) {
            throw new TributaryException(
                    ErrorCode.BRANCH_UNKNOWN,
                    "expected a branch that was prepared since the stream began, found the COMMIT of XA " + token.xid()
                            + ", which was not");
        }
        Token prepare = hole.prepare();
        try {
            long tso = tsoOf(prepare, token);
            requireAbove(tso, hole.behind(), token);
            line.hold(prepare.withTso(tso), token.withTso(tso));
            certain(tso, token);
        } catch (TributaryException e) {
            prepare.release();
            throw e;
        }
    }

    private static long tsoOf(Token prepare, Token commit) {
        if (prepare.hasTso() && commit.hasTso() && prepare.tso() != commit.tso()) {
            throw TsoRefusal.of("expected one TSO of a branch, found " + prepare.tso() + " at its PREPARE and "
                    + commit.tso() + " at its COMMIT: XA " + commit.xid());
        }
        long tso = Math.max(prepare.tso(), commit.tso());
        if (tso <= 0) {
            throw TsoRefusal.of("expected a TSO in every distributed transaction, found none in XA " + commit.xid()
                    + ": its branches have to write the marker table (order.tso.table) before they are prepared");
        }
        return tso;
    }

    /** A branch that was rolled back keeps its place where that is known, so that another outcome elsewhere is noticed. */
    private void rollBack(Token token) {
        Hole hole = holes.decided(token.xid());
        if (hole == null) {
            behind(token);
            return;
        }
        Token prepare = hole.prepare();
        prepare.release();
        if (prepare.hasTso() && !hole.isLate()) {
            line.hold(prepare.skipped(), token.withTso(prepare.tso()));
        } else {
            behind(prepare.skipped());
            behind(token);
        }
    }

    private void local(Token token) {
        if (!token.hasTso()) {
            behind(token);
            return;
        }
        requireAbove(token.tso(), watermark, token);
        line.hold(token, null);
        certain(token.tso(), token);
    }

    private void round(Token token, long roundTso) {
        if (roundTso > watermark) {
            certain(roundTso, token);
        }
        behind(token);
    }

    /** A token without a TSO stands directly behind the last one that has one. */
    private void behind(Token token) {
        line.hold(token.withTso(-watermark), null);
    }

    private void certain(long tso, Token by) {
        if (tso > watermark) {
            watermark = tso;
            newest = by;
        }
        if (by.kind() != TokenKind.ROUND) {
            committed.accept(tso);
        }
    }

    private void requireAbove(long tso, long least, Token token) {
        if (tso <= least) {
            boolean isKnown = newest != null && watermark == least;
            throw TsoRefusal.of("expected a TSO above " + least
                    + (isKnown
                            ? ", which " + TsoRefusal.name(newest) + " has as certain"
                            : ", which was certain before")
                    + ", found " + tso + (tso == least ? ", the same once more" : ", which goes back")
                    + (token.xid() == null ? "" : ": XA " + token.xid())
                    + "; a coordinator must not commit before every smaller TSO is prepared or given up");
        }
    }

    /** The next token that leaves, its {@link Token#tso()} set; null when there is none. The caller owns its payload. */
    public Token poll() {
        return line.poll();
    }

    /** Whether tokens wait only for {@link #poll()}. */
    public boolean hasLeaving() {
        return line.hasLeaving();
    }

    /** Tokens that wait for a branch to be decided, the undecided branches themselves among them. */
    public int held() {
        return line.held() + holes.count();
    }

    /** Undecided branches, the oldest first. A view. */
    public Iterable<Hole> holes() {
        return holes.inOrder();
    }

    /**
     * The oldest undecided branches, the oldest first.
     *
     * @param nanoTime now
     */
    public List<UndecidedBranch> undecided(int most, long nanoTime) {
        return holes.undecided(most, nanoTime, line.held());
    }

    /** The largest TSO that is certain to have no smaller one behind what was read. */
    public long watermark() {
        return watermark;
    }

    /** Gives back the payload of all that has not left. */
    @Override
    public void close() {
        line.close();
        holes.inOrder().forEach(hole -> hole.prepare().release());
    }
}
