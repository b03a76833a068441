package io.tributary.collector.order;

import io.tributary.collector.schema.Questions;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.store.HeldTokens;
import java.util.HashMap;
import java.util.Map;

/** One shard's part of the order: its received tokens, its undecided branches, how far it is, and where to resume. */
final class ShardLine {
    /** Bytes of heap of a branch until its transaction is emitted, its part of the transaction among them; see {@code TokenCostTest}. */
    static final int BRANCH_BYTES = 640;

    private final int shard;
    private final ShardCut start;
    private final boolean rereadsPending;
    private final TokenQueue queue;

    /** Branches whose commit or rollback has not been received, those of transactions emitted before the cut among them. */
    private final Map<Xid, Branch> undecided = new HashMap<>();

    /** Branches of transactions not yet emitted, in the order of their prepares. */
    private final Chain<Branch> pending = new Chain<>();

    private final GtidSet.Builder frontier;
    private long toReread;
    private Distributed waitsFor;
    private ShardLine nextWaiting;

    private String file;
    private long offset;
    private long round;
    private long key;
    private long commitMicros;
    private ShardCut lastCut;

    private final Presence presence = new Presence();
    private final HeldTokens held;
    private final Questions questions;

    /**
     * @param held where to say what waits here; closed with this
     * @param questions know what is left out of the shard
     */
    ShardLine(int shard, ShardCut start, boolean rereadsPending, HeldTokens held, Questions questions) {
        this.questions = questions;
        this.held = held;
        this.queue = new TokenQueue(held);
        this.shard = shard;
        this.start = start;
        this.rereadsPending = rereadsPending;
        this.frontier = start.frontier().toBuilder();
        this.toReread = start.frontier().minus(start.resume()).count();
        this.file = start.file();
        this.offset = start.offset();
        this.round = start.round();
        this.key = start.key();
        this.lastCut = toReread == 0 ? null : start;
    }

    int shard() {
        return shard;
    }

    String shardName() {
        return start.name();
    }

    Map<Xid, Branch> undecided() {
        return undecided;
    }

    Chain<Branch> pending() {
        return pending;
    }

    /** Whether it is coming or going. */
    Presence presence() {
        return presence;
    }

    // ---- below the frontier of the cut

    /** Whether everything below the frontier of the cut has been read again. */
    boolean isCaughtUp() {
        return toReread == 0;
    }

    boolean isReread(Token token) {
        return toReread > 0 && start.frontier().contains(token.sid(), token.gno());
    }

    /** One token below the frontier was read again; true when it was the last. */
    boolean rereadOne() {
        lastCut = null;
        return --toReread == 0;
    }

    // ---- branches

    /** A branch is known from here on. */
    Branch prepare(Token token, Distributed transaction) {
        Branch branch = new Branch(this, token.xid(), transaction, token);
        undecided.put(token.xid(), branch);
        pending.append(branch);
        transaction.add(branch);
        return branch;
    }

    /** A commit of a branch that was not seen; its transaction's other branches come out without it only if an operator says so. */
    Question unknownBranch(Token commit) {
        return new Question(
                ErrorCode.BRANCH_UNKNOWN,
                "shard " + start.name() + ", " + commit.file() + " before " + commit.end() + ": expected a branch that"
                        + " was prepared since the stream began, found the COMMIT of XA " + commit.xid()
                        + ", which was not");
    }

    /** What cannot be at this token, whose payload is given back. */
    TributaryException contradiction(Token token, String what) {
        token.release();
        return new TributaryException(
                ErrorCode.ORDER_CONTRADICTION,
                "shard " + start.name() + ", " + token.file() + " before " + token.end() + ", "
                        + Gtid.text(token.sid(), token.gno()) + ": " + what + ": XA " + token.xid());
    }

    // ---- the queue

    void receive(Token token, Branch branch) {
        queue.add(token, branch);
        sayHeld();
        if (presence.isLeaving()) {
            presence.received(token);
        }
    }

    Token head() {
        return queue.token();
    }

    Branch headBranch() {
        return queue.branch();
    }

    /** Received tokens that are not yet processed. */
    int depth() {
        return queue.size();
    }

    /** By TSO, what has it before what stands behind it (`tso`); then by key and shard. */
    boolean isBefore(ShardLine other) {
        Token mine = queue.token();
        Token others = other.queue.token();
        if (mine.tso() != others.tso()) {
            return mine.tsoPlace() != others.tsoPlace() ? mine.tsoPlace() < others.tsoPlace() : mine.hasTso();
        }
        return mine.key() < others.key() || mine.key() == others.key() && shard < other.shard;
    }

    /** The first token has been processed. */
    void advance() {
        Token token = queue.token();
        queue.remove();
        sayHeld();
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

    /** The newest commit time processed, µs since 1970; 0 while there is none. */
    long commitMicros() {
        return commitMicros;
    }

    // ---- waiting at a commit

    void waitFor(Distributed transaction, ShardLine next) {
        waitsFor = transaction;
        nextWaiting = next;
    }

    /** The transaction at whose commit this shard waits, or null. */
    Distributed waitsFor() {
        return waitsFor;
    }

    boolean isWaiting() {
        return waitsFor != null;
    }

    /** Returns the next shard that waits for the same transaction. */
    ShardLine stopWaiting() {
        ShardLine next = nextWaiting;
        waitsFor = null;
        nextWaiting = null;
        return next;
    }

    // ---- the cut

    /** Where to resume this shard now; the same object as long as nothing has changed. */
    ShardCut cut() {
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
            return shardCut(start.resume(), processed, start.file(), start.offset());
        }
        if (oldest != null && oldest.isReady() && rereadsPending) {
            Token.Before before = oldest.prepare().before();
            return shardCut(before.executed(), processed, before.file(), before.offset());
        }
        return shardCut(processed, processed, file, offset);
    }

    private ShardCut shardCut(GtidSet resume, GtidSet processed, String resumeFile, long resumeOffset) {
        return new ShardCut(
                start.name(),
                start.serverUuid(),
                resume,
                processed,
                resumeFile,
                resumeOffset,
                round,
                key,
                questions.leftOut(shard),
                questions.leftOutIfRefused(shard));
    }

    /** A branch became or ceased to be the oldest pending one. */
    void pendingChanged() {
        lastCut = null;
        sayHeld();
    }

    private void sayHeld() {
        held.set((long) queue.onHeap() * HeldTokens.TOKEN_BYTES + (long) pending.size() * BRANCH_BYTES);
    }

    // ---- the end

    /** Gives back all payload that is still held here. */
    void close() {
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
