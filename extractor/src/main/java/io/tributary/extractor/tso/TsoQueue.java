package io.tributary.extractor.tso;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/** A queue of tokens in the order of their TSOs: tokens that may leave, and after them tokens that wait. For one thread. */
final class TsoQueue implements AutoCloseable {
    private final PriorityQueue<Held> held = new PriorityQueue<>();
    private final ArrayDeque<Token> leaving = new ArrayDeque<>();
    private Token lastOut;
    private long sequence;
    private int heldTokens;

    /** One token, or the two tokens of a decided branch, that wait at a TSO. */
    private record Held(long sequence, Token first, Token second) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int byPlace = Long.compare(first.tsoPlace(), other.first.tsoPlace());
            int byOwn = byPlace != 0 ? byPlace : Boolean.compare(other.first.hasTso(), first.hasTso());
            return byOwn != 0 ? byOwn : Long.compare(sequence, other.sequence);
        }
    }

    /** Adds one token, for which {@code second} is null, or the two tokens of a decided branch. */
    void hold(Token first, Token second) {
        held.add(new Held(sequence++, first, second));
        heldTokens += second == null ? 1 : 2;
    }

    /**
     * Lets the tokens leave that are before every undecided branch, up to the watermark.
     *
     * @throws TributaryException TSO_REFUSED if two transactions have the same TSO
     */
    void release(long leastPending, long watermark) {
        while (!held.isEmpty()) {
            long place = held.peek().first().tsoPlace();
            if (place >= leastPending || place > watermark) {
                return;
            }
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

    /** Two transactions never have the same TSO; the branches of one transaction have the same. */
    private void requireOwn(Token token) {
        if (lastOut == null || lastOut.tso() != token.tso()) {
            return;
        }
        boolean isSame = lastOut.xid() != null
                && token.xid() != null
                && lastOut.xid().global().equals(token.xid().global());
        if (!isSame) {
            throw TsoRefusal.of("expected a TSO of its own for each transaction, found " + token.tso() + " in "
                    + TsoRefusal.name(lastOut) + " and in " + TsoRefusal.name(token));
        }
    }

    /** The next token that may leave; null if there is none. */
    Token poll() {
        return leaving.poll();
    }

    boolean hasLeaving() {
        return !leaving.isEmpty();
    }

    /** The number of tokens that may not leave yet. */
    int held() {
        return heldTokens;
    }

    /** Releases the payload of all tokens that have not left. */
    @Override
    public void close() {
        leaving.forEach(Token::release);
        leaving.clear();
        held.forEach(each -> each.first().release());
        held.clear();
        heldTokens = 0;
    }
}
