package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The sort of one shard's tokens by TSO. It relies on this rule: a branch that was prepared after a commit in the log has a larger TSO than
 * that commit. So a commit may leave when every branch that was prepared before it and could have a smaller TSO has been decided. A log that
 * breaks the rule is refused, even if the order of this shard could be repaired: another shard may have continued already.
 *
 * <p>A branch leaves when it has been decided: its PREPARE with the payload, directly followed by its COMMIT, both with its TSO. A token
 * without its own TSO (local transactions, rounds, DDL) leaves directly after the largest TSO that was committed before it. For one thread.
 */
public final class TsoSort implements AutoCloseable {
    private final LongConsumer committed;
    private final RereadFilter frontier;
    private final PendingBranches pendingBranches = new PendingBranches();
    private final TsoQueue queue = new TsoQueue();

    /** Every TSO up to this one is prepared or decided in the part of the log that was read; the next branch that is prepared has a larger one. */
    private long watermark;

    private Token newest;

    /**
     * @param shard the cut from which the shard continues; a transaction that is read again below its frontier counts only if it is a branch that
     *     is decided after the frontier
     * @param from the TSO of that cut
     * @param committed notified of each TSO that is read as committed
     */
    public TsoSort(ShardCut shard, long from, LongConsumer committed) {
        this.frontier = new RereadFilter(shard);
        this.watermark = from;
        this.committed = committed;
    }

    /**
     * Adds the next token of the log; this object owns its payload until the token leaves.
     *
     * @param token with the TSO of its own transaction, or 0 or less without one
     * @param roundTso for a ROUND: every TSO up to this one was prepared on all shards, or given up, before the round was written
     * @param nanoTime approximate current time
     * @throws TributaryException TSO_REFUSED, BRANCH_UNKNOWN or ORDER_CONTRADICTION; all payload is still released, at the latest by
     *     {@link #close()}
     */
    public void put(Token token, long roundTso, long nanoTime) {
        try {
            if (frontier.has(token)) {
                acceptReread(token, nanoTime);
            } else {
                accept(token, roundTso, nanoTime);
            }
        } catch (TributaryException e) {
            token.release();
            throw e;
        }
        queue.release(pendingBranches.least(), watermark);
    }

    private void accept(Token token, long roundTso, long nanoTime) {
        switch (token.kind()) {
            case PREPARE -> prepare(token, nanoTime);
            case COMMIT -> commit(token);
            case ROLLBACK -> rollBack(token);
            case LOCAL, SKIPPED -> local(token);
            case ROUND -> round(token, roundTso);
            case DDL -> addAtWatermark(token);
        }
    }

    /** Adds a token below the frontier. A transaction that ended there is not used, nor its TSO; a branch may be decided after the frontier. */
    private void acceptReread(Token token, long nanoTime) {
        switch (token.kind()) {
            case PREPARE -> prepare(token, nanoTime);
            case DDL -> addAtWatermark(token);
            default -> {
                PendingBranch pendingBranch = token.xid() == null ? null : pendingBranches.decided(token.xid());
                if (pendingBranch != null) {
                    pendingBranch.prepare().release();
                    addAtWatermark(pendingBranch.prepare().skipped());
                }
                token.release();
                addAtWatermark(token.skipped());
            }
        }
    }

    /** A branch that is prepared too late for its TSO is no error yet: its coordinator must roll it back. Its COMMIT would be an error. */
    private void prepare(Token token, long nanoTime) {
        pendingBranches.prepared(token, watermark, nanoTime);
    }

    private void commit(Token token) {
        PendingBranch pendingBranch = pendingBranches.decided(token.xid());
        if (pendingBranch == null) {
            throw new TributaryException(
                    ErrorCode.BRANCH_UNKNOWN,
                    "expected a branch that was prepared after the stream began, found the COMMIT of XA " + token.xid()
                            + ", which was not");
        }
        Token prepare = pendingBranch.prepare();
        try {
            long tso = tsoOf(prepare, token);
            requireAbove(tso, pendingBranch.lowerBound(), token);
            queue.hold(prepare.withTso(tso), token.withTso(tso));
            raiseWatermark(tso, token);
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

    /** A branch that was rolled back keeps its position if its TSO is known, so that another outcome on another shard is detected. */
    private void rollBack(Token token) {
        PendingBranch pendingBranch = pendingBranches.decided(token.xid());
        if (pendingBranch == null) {
            addAtWatermark(token);
            return;
        }
        Token prepare = pendingBranch.prepare();
        prepare.release();
        if (prepare.hasTso() && !pendingBranch.isLate()) {
            queue.hold(prepare.skipped(), token.withTso(prepare.tso()));
        } else {
            addAtWatermark(prepare.skipped());
            addAtWatermark(token);
        }
    }

    private void local(Token token) {
        if (!token.hasTso()) {
            addAtWatermark(token);
            return;
        }
        requireAbove(token.tso(), watermark, token);
        queue.hold(token, null);
        raiseWatermark(token.tso(), token);
    }

    private void round(Token token, long roundTso) {
        if (roundTso > watermark) {
            raiseWatermark(roundTso, token);
        }
        addAtWatermark(token);
    }

    /** Adds a token without a TSO directly after the last one with a TSO. */
    private void addAtWatermark(Token token) {
        queue.hold(token.withTso(-watermark), null);
    }

    private void raiseWatermark(long tso, Token by) {
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
                    + (isKnown ? ", which " + TsoRefusal.name(newest) + " made certain" : ", which was certain before")
                    + ", found " + tso + (tso == least ? ", the same again" : ", which is smaller")
                    + (token.xid() == null ? "" : ": XA " + token.xid())
                    + "; a coordinator must not commit before every smaller TSO is prepared or given up");
        }
    }

    /** The next token that leaves, with its {@link Token#tso()}; null if there is none. The caller owns its payload. */
    public Token poll() {
        return queue.poll();
    }

    /** Whether there are tokens that wait only for {@link #poll()}. */
    public boolean hasLeaving() {
        return queue.hasLeaving();
    }

    /** The number of tokens that wait for an undecided branch, including the undecided branches themselves. */
    public int held() {
        return queue.held() + pendingBranches.count();
    }

    /** A view of the undecided branches, the oldest first. */
    public Iterable<PendingBranch> pendingBranches() {
        return pendingBranches.inOrder();
    }

    /**
     * The oldest undecided branches, the oldest first.
     *
     * @param nanoTime now
     */
    public List<UndecidedBranch> undecided(int most, long nanoTime) {
        return pendingBranches.undecided(most, nanoTime, queue.held());
    }

    /** The largest TSO for which it is certain that no smaller one follows in the log. */
    public long watermark() {
        return watermark;
    }

    /** Releases the payload of all tokens that have not left. */
    @Override
    public void close() {
        queue.close();
        pendingBranches
                .inOrder()
                .forEach(pendingBranch -> pendingBranch.prepare().release());
    }
}
