package io.tributary.extractor.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
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
    private final PriorityQueue<Held> held = new PriorityQueue<>();
    private final ArrayDeque<Token> leaving = new ArrayDeque<>();

    /** Every TSO up to this one is prepared or decided in what was read; the next branch that is prepared has a larger one. */
    private long watermark;

    private Token newest;
    private Token lastOut;
    private long sequence;
    private int heldTokens;

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

    /** One token, or the two of a decided branch, waiting at a TSO. */
    private record Held(long sequence, Token first, Token second) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int byPlace = Long.compare(first.tsoPlace(), other.first.tsoPlace());
            int byOwn = byPlace != 0 ? byPlace : Boolean.compare(other.first.hasTso(), first.hasTso());
            return byOwn != 0 ? byOwn : Long.compare(sequence, other.sequence);
        }
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
            release(token);
            throw e;
        }
        settle();
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
                    heldTokens--;
                    release(hole.prepare());
                    behind(hole.prepare().skipped());
                }
                release(token);
                behind(token.skipped());
            }
        }
    }

    /** One that comes too late for its TSO is no error yet: its coordinator gave it up and has to roll it back. Its COMMIT is one. */
    private void prepare(Token token, long nanoTime) {
        holes.prepared(token, watermark, nanoTime);
        heldTokens++;
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
        heldTokens--;
        try {
            long tso = tsoOf(prepare, token);
            requireAbove(tso, hole.behind(), token);
            hold(prepare.withTso(tso), token.withTso(tso));
            certain(tso, token);
        } catch (TributaryException e) {
            release(prepare);
            throw e;
        }
    }

    private static long tsoOf(Token prepare, Token commit) {
        if (prepare.hasTso() && commit.hasTso() && prepare.tso() != commit.tso()) {
            throw refused("expected one TSO of a branch, found " + prepare.tso() + " at its PREPARE and " + commit.tso()
                    + " at its COMMIT: XA " + commit.xid());
        }
        long tso = Math.max(prepare.tso(), commit.tso());
        if (tso <= 0) {
            throw refused("expected a TSO in every distributed transaction, found none in XA " + commit.xid()
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
        heldTokens--;
        release(prepare);
        if (prepare.hasTso() && !hole.isLate()) {
            hold(prepare.skipped(), token.withTso(prepare.tso()));
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
        hold(token, null);
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
        hold(token.withTso(-watermark), null);
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
            throw refused("expected a TSO above " + least
                    + (isKnown ? ", which " + name(newest) + " has as certain" : ", which was certain before")
                    + ", found " + tso + (tso == least ? ", the same once more" : ", which goes back")
                    + (token.xid() == null ? "" : ": XA " + token.xid())
                    + "; a coordinator must not commit before every smaller TSO is prepared or given up");
        }
    }

    private static String name(Token token) {
        return token.kind() + (token.xid() == null ? "" : " of XA " + token.xid()) + " at " + token.file() + " before "
                + token.end();
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.TSO_REFUSED, message);
    }

    // ---- leaving

    private void hold(Token first, Token second) {
        held.add(new Held(sequence++, first, second));
        heldTokens += second == null ? 1 : 2;
    }

    /** No hole can come in front of it or beside it, and nothing that is still to be read. */
    private boolean mayLeave(long place) {
        return place < holes.least() && place <= watermark;
    }

    private void settle() {
        while (!held.isEmpty() && mayLeave(held.peek().first().tsoPlace())) {
            Held next = held.remove();
            heldTokens -= next.second() == null ? 1 : 2;
            leave(next.first(), next.second());
        }
    }

    private void leave(Token first, Token second) {
        leaving.add(first);
        if (second != null) {
            leaving.add(second);
        }
        if (first.hasTso() && first.kind() != TokenKind.SKIPPED) {
            requireOwn(first);
            lastOut = first;
        }
    }

    /** Two transactions never share a TSO; branches of one do. */
    private void requireOwn(Token token) {
        if (lastOut == null || lastOut.tso() != token.tso()) {
            return;
        }
        boolean isSame = lastOut.xid() != null
                && token.xid() != null
                && lastOut.xid().global().equals(token.xid().global());
        if (!isSame) {
            throw refused("expected a TSO of its own for each transaction, found " + token.tso() + " in "
                    + name(lastOut) + " and in " + name(token));
        }
    }

    /** The next token that leaves, its {@link Token#tso()} set; null when there is none. The caller owns its payload. */
    public Token poll() {
        return leaving.poll();
    }

    /** Whether tokens wait only for {@link #poll()}. */
    public boolean hasLeaving() {
        return !leaving.isEmpty();
    }

    /** Tokens that wait for a branch to be decided, the undecided branches themselves among them. */
    public int held() {
        return heldTokens;
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
        return holes.undecided(most, nanoTime, heldTokens - holes.count());
    }

    /** The largest TSO that is certain to have no smaller one behind what was read. */
    public long watermark() {
        return watermark;
    }

    private static void release(Token token) {
        if (token.payload() != null) {
            token.payload().release();
        }
    }

    /** Gives back the payload of all that has not left. */
    @Override
    public void close() {
        leaving.forEach(TsoSort::release);
        leaving.clear();
        held.forEach(each -> release(each.first()));
        held.clear();
        holes.inOrder().forEach(hole -> release(hole.prepare()));
        heldTokens = 0;
    }
}
