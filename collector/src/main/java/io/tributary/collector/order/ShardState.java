package io.tributary.collector.order;

import io.tributary.collector.schema.OpenQuestions;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Cut.LeftOutGtids;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.store.HeldTokens;
import java.util.HashMap;
import java.util.Map;

/** The state of one shard in the order: its received tokens, its undecided branches, its progress, and where to resume. */
public final class ShardState {
    /** Heap bytes of a branch until its transaction is emitted, with its share of the transaction; see {@code TokenCostTest}. */
    static final int BRANCH_BYTES = 640;

    private final int shard;
    private final ShardCut start;
    private final TokenQueue queue;

    /** Branches whose commit or rollback has not been received, also those of transactions emitted before the cut. */
    private final Map<Xid, Branch> undecided = new HashMap<>();

    /** Branches of transactions that are not emitted yet, in the order of their prepares. */
    private final IntrusiveList<Branch> pending = new IntrusiveList<>();

    private final GtidSet.Builder frontier;
    private long toReread;
    private DistributedTransaction waitsFor;
    private ShardState nextWaiting;

    private String file;
    private long offset;
    private long round;
    private long key;
    private long commitMicros;
    private ShardCut lastCut;

    private final ShardMembership membership = new ShardMembership();
    private final HeldTokens held;
    private final OpenQuestions questions;

    /**
     * @param held receives the number of bytes that wait here; closed with this
     * @param questions contain what is left out of the shard
     */
    ShardState(int shard, ShardCut start, HeldTokens held, OpenQuestions questions) {
        this.questions = questions;
        this.held = held;
        this.queue = new TokenQueue(held);
        this.shard = shard;
        this.start = start;
        this.frontier = start.frontier().toBuilder();
        this.toReread = start.frontier().minus(start.resume()).count();
        this.file = start.file();
        this.offset = start.offset();
        this.round = start.round();
        this.key = start.key();
        this.lastCut = toReread == 0 ? null : start;
    }

    public int shard() {
        return shard;
    }

    public String shardName() {
        return start.name();
    }

    public Map<Xid, Branch> undecided() {
        return undecided;
    }

    public IntrusiveList<Branch> pending() {
        return pending;
    }

    /** Whether it joins or leaves. */
    public ShardMembership membership() {
        return membership;
    }

    // ---- before the frontier of the cut

    /** Whether everything before the frontier of the cut has been read again. */
    public boolean isCaughtUp() {
        return toReread == 0;
    }

    public boolean isReread(Token token) {
        return toReread > 0 && start.frontier().contains(token.sid(), token.gno());
    }

    /** One token before the frontier was read again; true if it was the last. */
    boolean rereadOne() {
        lastCut = null;
        return --toReread == 0;
    }

    // ---- branches

    /** Adds a branch. */
    public Branch prepare(Token token, DistributedTransaction transaction) {
        Branch branch = new Branch(this, token.xid(), transaction, token);
        undecided.put(token.xid(), branch);
        pending.append(branch);
        transaction.add(branch);
        return branch;
    }

    /**
     * The question about a commit of an unknown branch; the other branches of its transaction are written without it only if an operator decides so.
     */
    public Question unknownBranch(Token commit) {
        return new Question(
                ErrorCode.BRANCH_UNKNOWN,
                "shard " + start.name() + ", " + commit.file() + " before " + commit.end() + ": expected a branch that"
                        + " was prepared after the start of the stream, found the COMMIT of XA " + commit.xid()
                        + ", which was not");
    }

    /** The error for a token that contradicts the state; releases the token's payload. */
    public TributaryException contradiction(Token token, String what) {
        token.release();
        return new TributaryException(
                ErrorCode.ORDER_CONTRADICTION,
                "shard " + start.name() + ", " + token.file() + " before " + token.end() + ", "
                        + Gtid.text(token.sid(), token.gno()) + ": " + what + ": XA " + token.xid());
    }

    // ---- the queue

    public void receive(Token token, Branch branch) {
        queue.add(token, branch);
        reportHeld();
        if (membership.isLeaving()) {
            membership.received(token);
        }
    }

    public Token head() {
        return queue.token();
    }

    public Branch headBranch() {
        return queue.branch();
    }

    /** Received tokens that are not processed yet. */
    public int depth() {
        return queue.size();
    }

    /** Tokens with a TSO are before the tokens that follow it (`tso`); otherwise by key and shard. */
    boolean isBefore(ShardState other) {
        Token mine = queue.token();
        Token others = other.queue.token();
        if (mine.tso() != others.tso()) {
            return mine.tsoPlace() != others.tsoPlace() ? mine.tsoPlace() < others.tsoPlace() : mine.hasTso();
        }
        return mine.key() < others.key() || mine.key() == others.key() && shard < other.shard;
    }

    /** The first token has been processed. */
    public void advance() {
        Token token = queue.token();
        queue.remove();
        reportHeld();
        frontier.add(token.sid(), token.gno());
        file = token.file();
        offset = token.end();
        key = token.key();
        if (token.kind() == TokenKind.ROUND) {
            round = Math.max(round, token.round());
        }
        if (token.commitMicros() != 0) {
            commitMicros = token.commitMicros();
        }
        lastCut = null;
    }

    /** The newest round that was processed. */
    long round() {
        return round;
    }

    /** The newest commit time that was processed, µs since 1970; 0 while there is none. */
    public long commitMicros() {
        return commitMicros;
    }

    // ---- waiting at a commit

    void waitFor(DistributedTransaction transaction, ShardState next) {
        waitsFor = transaction;
        nextWaiting = next;
    }

    /** The transaction at whose commit this shard waits, or null. */
    public DistributedTransaction waitsFor() {
        return waitsFor;
    }

    public boolean isWaiting() {
        return waitsFor != null;
    }

    /** Returns the next shard that waits for the same transaction. */
    ShardState stopWaiting() {
        ShardState next = nextWaiting;
        waitsFor = null;
        nextWaiting = null;
        return next;
    }

    // ---- the cut

    /** Where to resume this shard now; the same object as long as nothing has changed. */
    public ShardCut cut() {
        if (lastCut == null
                || !lastCut.leftOut().equals(questions.leftOut(shard))
                || !lastCut.leftOutIfRefused().equals(questions.leftOutIfRefused(shard))) {
            lastCut = newCut();
        }
        return lastCut;
    }

    private ShardCut newCut() {
        GtidSet processed = frontier.build();
        Branch oldest = pending.first();
        if (!isCaughtUp()) {
            return shardCut(start.position(), processed);
        }
        if (oldest != null && oldest.isReady()) {
            return shardCut(oldest.prepare().before(), processed);
        }
        return shardCut(new ResumePosition(processed, file, offset), processed);
    }

    private ShardCut shardCut(ResumePosition position, GtidSet processed) {
        LeftOutGtids leftOut = new LeftOutGtids(questions.leftOut(shard), questions.leftOutIfRefused(shard));
        Corrections corrections = start.corrections();
        boolean isCorrecting = !corrections.left(processed).isEmpty();
        return new ShardCut(
                start.name(),
                start.serverUuid(),
                position,
                processed,
                round,
                key,
                leftOut,
                isCorrecting ? corrections : Corrections.NONE);
    }

    /** The oldest pending branch of this shard may be another one now. */
    public void pendingChanged() {
        lastCut = null;
        reportHeld();
    }

    private void reportHeld() {
        held.set((long) queue.onHeap() * HeldTokens.TOKEN_BYTES + (long) pending.size() * BRANCH_BYTES);
    }

    // ---- the end

    /** Releases all payload that is still held here. */
    public void close() {
        queue.drain((token, branch) -> {
            if (branch == null) {
                token.release();
            }
        });
        while (pending.first() != null) {
            Branch branch = pending.first();
            branch.unlink();
            branch.releasePayload();
        }
        held.close();
    }
}
