package io.tributary.extractor.tso;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/** A branch that is prepared and undecided: what stands behind it in TSO order has to wait. */
public final class Hole implements Comparable<Hole> {
    private final Token prepare;
    private final long behind;
    private final long sinceNanos;
    private boolean isDecided;

    /**
     * @param prepare its PREPARE, with its TSO where that is known already
     * @param behind its TSO is larger than this
     * @param sinceNanos when it was read
     */
    Hole(Token prepare, long behind, long sinceNanos) {
        this.prepare = prepare;
        this.behind = behind;
        this.sinceNanos = sinceNanos;
    }

    Token prepare() {
        return prepare;
    }

    /** Its TSO is larger than this: all that was committed in front of it. */
    long behind() {
        return behind;
    }

    /** Whether something with a larger TSO, or its own, was committed before it was prepared: it can only be rolled back. */
    boolean isLate() {
        return prepare.hasTso() && prepare.tso() <= behind;
    }

    /** The smallest TSO with which it can be committed; the highest there is where it cannot be. */
    long least() {
        if (isLate()) {
            return Long.MAX_VALUE;
        }
        return prepare.hasTso() ? prepare.tso() : behind + 1;
    }

    /** Its XID, bqual included. */
    public Xid xid() {
        return prepare.xid();
    }

    /** When it was read, ns of the node's clock. */
    public long sinceNanos() {
        return sinceNanos;
    }

    void decide() {
        isDecided = true;
    }

    boolean isDecided() {
        return isDecided;
    }

    @Override
    public int compareTo(Hole other) {
        return Long.compare(least(), other.least());
    }

    /** Where it stands, and its TSO where that is known. */
    @Override
    public String toString() {
        return "XA " + prepare.xid() + ", prepared in " + prepare.file() + " before " + prepare.end() + " ("
                + prepare.sid() + ":" + prepare.gno() + ")" + (prepare.hasTso() ? ", TSO " + prepare.tso() : "");
    }
}
