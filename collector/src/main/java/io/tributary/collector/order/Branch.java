package io.tributary.collector.order;

import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/** One prepared branch of a distributed transaction on one shard, until its commit has been processed. */
public final class Branch extends IntrusiveList.Link<Branch> {
    private final ShardState state;
    private final Xid xid;
    private DistributedTransaction transaction;
    private Token prepare;
    private Token commit;
    private boolean ready;
    private long neededRound;

    /** @param transaction null if it was emitted before the cut: then only the commit of this branch is missing */
    public Branch(ShardState state, Xid xid, DistributedTransaction transaction, Token prepare) {
        this.state = state;
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
        return state.shard();
    }

    /** The branch's own XID, with its bqual. */
    public Xid xid() {
        return xid;
    }

    /** The token of its PREPARE, with its payload; null once the transaction has been emitted. */
    public Token prepare() {
        return prepare;
    }

    /** The token of its COMMIT on its shard; null while that is not known, and once the transaction has been emitted. */
    public Token commit() {
        return commit;
    }

    public ShardState shardState() {
        return state;
    }

    public DistributedTransaction transaction() {
        return transaction;
    }

    /** Whether everything before its PREPARE has been processed. */
    public boolean isReady() {
        return ready;
    }

    public boolean isCommitted() {
        return commit != null;
    }

    /** Whether it belongs to a transaction that was emitted; then its commit needs no more action. */
    public boolean isEmitted() {
        return transaction == null || transaction.isEmitted();
    }

    /** The time at which a token was logged by its shard's clock, or the merge key if the shard writes no time. */
    public static long time(Token token) {
        return token.commitMicros() != 0 ? token.commitMicros() : token.key();
    }

    /** Every round from this one on began after its commit; 0 while that is not known. */
    long neededRound() {
        return neededRound;
    }

    public void markReady() {
        ready = true;
    }

    public void markCommitted(Token token) {
        commit = token;
    }

    void setNeededRound(long round) {
        neededRound = round;
    }

    /** Moves it to another use of the same gtrid. */
    public void moveTo(DistributedTransaction other) {
        transaction.remove(this);
        transaction = other;
        other.add(this);
    }

    /** Drops the tokens: nothing reads them any more, because the payload was handed to the sink or was released. */
    void forgetTokens() {
        prepare = null;
        commit = null;
    }

    public void releasePayload() {
        if (prepare != null) {
            prepare.release();
            prepare = null;
        }
    }
}
