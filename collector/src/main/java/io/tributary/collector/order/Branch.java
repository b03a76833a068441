package io.tributary.collector.order;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/** One prepared branch of a distributed transaction on one shard, until its commit has been processed. */
public final class Branch extends Chain.Link<Branch> {
    private final ShardLine line;
    private final Xid xid;
    private Distributed transaction;
    private Token prepare;
    private Token commit;
    private boolean ready;
    private long neededRound;

    /** @param transaction null when it was emitted before the cut: only the commit of this branch is still to come */
    Branch(ShardLine line, Xid xid, Distributed transaction, Token prepare) {
        this.line = line;
        this.xid = xid;
        this.transaction = transaction;
        this.prepare = prepare;
    }

    @Override
    Branch self() {
        return this;
    }

    /** The shard's index. */
    public int shard() {
        return line.shard();
    }

    /** The branch's own XID, bqual included. */
    public Xid xid() {
        return xid;
    }

    /** Where it was prepared, with its payload; null once the transaction has been emitted. */
    public Token prepare() {
        return prepare;
    }

    /** Where it committed on its shard; null while that is not known, and once the transaction has been emitted. */
    public Token commit() {
        return commit;
    }

    ShardLine line() {
        return line;
    }

    Distributed transaction() {
        return transaction;
    }

    /** Whether everything in front of its PREPARE has been processed. */
    boolean isReady() {
        return ready;
    }

    boolean isCommitted() {
        return commit != null;
    }

    /** Whether it belongs to a transaction that was emitted: its commit has only to be passed. */
    boolean isEmitted() {
        return transaction == null || transaction.isEmitted();
    }

    /** When a token was logged as its shard's clock says, or the merge key where the shard writes no time. */
    static long time(Token token) {
        return token.commitMicros() != 0 ? token.commitMicros() : token.key();
    }

    /** Every round from this one on began after its commit; 0 while that is not known. */
    long neededRound() {
        return neededRound;
    }

    void markReady() {
        ready = true;
    }

    void markCommitted(Token token) {
        commit = token;
    }

    void setNeededRound(long round) {
        neededRound = round;
    }

    /** It belongs to another use of the same gtrid. */
    void moveTo(Distributed other) {
        transaction.takeOut(this);
        transaction = other;
        other.add(this);
    }

    /** Nobody reads the tokens any more: the payload has gone to the emission, or was released. */
    void forgetTokens() {
        prepare = null;
        commit = null;
    }

    void releasePayload() {
        if (prepare != null) {
            prepare.release();
            prepare = null;
        }
    }
}
