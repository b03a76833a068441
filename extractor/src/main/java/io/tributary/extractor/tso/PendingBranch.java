package io.tributary.extractor.tso;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/** An undecided branch: tokens after it in TSO order have to wait. */
public final class PendingBranch implements Comparable<PendingBranch> {
    private final Token prepare;
    private final long lowerBound;
    private final long sinceNanos;
    private boolean isDecided;

    /**
     * @param prepare its PREPARE, with its TSO if that is known already
     * @param lowerBound its TSO is larger than this
     * @param sinceNanos when it was read, ns of the node's clock
     */
    PendingBranch(Token prepare, long lowerBound, long sinceNanos) {
        this.prepare = prepare;
        this.lowerBound = lowerBound;
        this.sinceNanos = sinceNanos;
    }

    Token prepare() {
        return prepare;
    }

    /** Its TSO is larger than this, because transactions up to this TSO were committed before it. */
    long lowerBound() {
        return lowerBound;
    }

    /** Whether a transaction with a larger or equal TSO was committed before it was prepared: then it can only be rolled back. */
    boolean isLate() {
        return prepare.hasTso() && prepare.tso() <= lowerBound;
    }

    /** The smallest TSO with which it can be committed; the highest possible value if it cannot be committed. */
    long least() {
        if (isLate()) {
            return Long.MAX_VALUE;
        }
        return prepare.hasTso() ? prepare.tso() : lowerBound + 1;
    }

    /** Its XID, with bqual. */
    Xid xid() {
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
    public int compareTo(PendingBranch other) {
        return Long.compare(least(), other.least());
    }

    /** Its position, and its TSO if that is known. */
    @Override
    public String toString() {
        return "XA " + prepare.xid() + ", prepared in " + prepare.file() + " before " + prepare.end() + " ("
                + prepare.sid() + ":" + prepare.gno() + ")" + (prepare.hasTso() ? ", TSO " + prepare.tso() : "");
    }
}
