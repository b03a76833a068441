package io.tributary.extractor.tso;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/** Tokens in the order of their TSOs: those that wait for their turn, and in front of them those that may leave. For one thread. */
final class TsoLine implements AutoCloseable {
    private final PriorityQueue<Held> held = new PriorityQueue<>();
    private final ArrayDeque<Token> leaving = new ArrayDeque<>();
    private Token lastOut;
    private long sequence;
    private int heldTokens;

    /** One token, or the two of a decided branch, waiting at a TSO. */
    private record Held(long sequence, Token first, Token second) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int byPlace = Long.compare(first.tsoPlace(), other.first.tsoPlace());
            int byOwn = byPlace != 0 ? byPlace : Boolean.compare(other.first.hasTso(), first.hasTso());
            return byOwn != 0 ? byOwn : Long.compare(sequence, other.sequence);
        }
    }

    /** Takes one token, or the two of a decided branch; {@code second} is null then. */
    void hold(Token first, Token second) {
        held.add(new Held(sequence++, first, second));
        heldTokens += second == null ? 1 : 2;
    }

    /**
     * Lets those leave that stand in front of every hole, and at what is certain.
     *
     * @throws TributaryException TSO_REFUSED where two transactions share a TSO
     */
    void settle(long leastHole, long watermark) {
        while (!held.isEmpty()) {
            long place = held.peek().first().tsoPlace();
            if (place >= leastHole || place > watermark) {
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

    /** Two transactions never share a TSO; branches of one do. */
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

    /** The next that may leave; null when there is none. */
    Token poll() {
        return leaving.poll();
    }

    boolean hasLeaving() {
        return !leaving.isEmpty();
    }

    /** Tokens that may not leave yet. */
    int held() {
        return heldTokens;
    }

    /** Gives back the payload of all that has not left. */
    @Override
    public void close() {
        leaving.forEach(Token::release);
        leaving.clear();
        held.forEach(each -> each.first().release());
        held.clear();
        heldTokens = 0;
    }
}
