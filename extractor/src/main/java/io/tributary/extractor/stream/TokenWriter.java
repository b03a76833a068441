package io.tributary.extractor.stream;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.TokenBody.HeartbeatRound;
import io.tributary.common.value.TokenBody.PreparedBranch;
import io.tributary.common.value.TokenBody.SkippedTransaction;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.EventPosition;
import io.tributary.extractor.ReadPosition;
import io.tributary.extractor.TokenOrder;
import io.tributary.extractor.TransactionState;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The writer of tokens: it makes one token for each transaction, sends it, and keeps the set of all GTIDs that were sent. */
public final class TokenWriter implements AutoCloseable {
    private final int shard;
    private final TokenOrder order;
    private final MergeKeyGenerator keys;
    private final GtidSet frontier;
    private final Corrections corrections;
    private final boolean hasCorrections;
    private final GtidSet.Builder sent;
    private final EventPosition position;
    private final PayloadWriter payload;
    private String lastFile; // the position after the last token
    private long lastOffset;
    private boolean belowFrontier;
    private long tokens;

    /** @param payload of the transaction that is read; it is ended when the transaction's token is sent */
    public TokenWriter(int shard, ShardCut from, EventPosition position, PayloadWriter payload, TokenOrder order) {
        this.shard = shard;
        this.order = order;
        this.keys = new MergeKeyGenerator(from);
        this.frontier = from.frontier();
        this.corrections = from.corrections();
        this.hasCorrections = !corrections.gtids().isEmpty();
        this.sent = from.resume().toBuilder();
        this.position = position;
        this.payload = payload;
        this.lastFile = from.file();
        this.lastOffset = from.offset();
        this.belowFrontier = !from.resume().equals(from.frontier());
    }

    /** The position after the event that is being read. */
    EventPosition position() {
        return position;
    }

    /** The writer of the payload of the transaction that is being read. */
    PayloadWriter payload() {
        return payload;
    }

    boolean hasRoom() {
        return order.hasRoom();
    }

    /** Sends tokens that waited for room; returns their number. */
    int release() {
        return order.release();
    }

    /** All GTIDs that need not be read again. */
    GtidSet sent() {
        return sent.build();
    }

    /** The corrections that were not sent yet. */
    GtidSet correctionsLeft() {
        return corrections.left(sent.build());
    }

    /** The position up to which the shard's binlog was read. */
    ReadPosition place() {
        return new ReadPosition(lastFile, lastOffset, sent.build(), tokens > 0);
    }

    /** Whether a transaction was sent already. */
    boolean hasSent(Sid sid, long gno) {
        return sent.contains(sid, gno);
    }

    /** The undecided branches for which tokens wait; any thread. */
    CompletableFuture<List<UndecidedBranch>> undecided() {
        return order.undecided();
    }

    /** The number of tokens sent so far. */
    long tokens() {
        return tokens;
    }

    /** Sends the token of a transaction that has just ended; {@link #putPrepare} and {@link #putRound} send the others. */
    void put(TransactionState transaction, TokenBody body) {
        send(token(transaction, body), transaction);
    }

    /** Sends the token of a branch that was prepared. */
    void putPrepare(TransactionState transaction, Xid xid, Payload payload, List<TableRef> tables) {
        put(transaction, new PreparedBranch(xid, before(transaction), payload, tables));
    }

    /** Sends the token of a heartbeat round. */
    void putRound(TransactionState transaction) {
        ResumePosition before = order.marksRounds() ? before(transaction) : null;
        put(transaction, new HeartbeatRound(transaction.round(), before));
    }

    /** Sends the token, without payload, of a transaction about which an operator has to decide. */
    void putQuestion(TokenKind kind, TransactionState transaction, Xid xid) {
        Question question = transaction.question();
        put(
                transaction,
                switch (kind) {
                    case LOCAL -> new TokenBody.AskedLocal(question);
                    case PREPARE -> new TokenBody.AskedPrepare(xid, before(transaction), question);
                    case COMMIT -> new TokenBody.AskedCommit(xid, question);
                    case DDL -> new TokenBody.AskedDdl(question);
                    case ROLLBACK, ROUND, SKIPPED ->
                        throw new IllegalArgumentException("expected a kind that can have a question, found " + kind);
                });
    }

    /** Sends the token of a transaction that is left out. */
    void putSkipped(TransactionState transaction) {
        put(transaction, SkippedTransaction.WITHOUT_EFFECT);
    }

    /** Sends the token of a statement that is not written and may change hidden tables. */
    void putHidden(TransactionState transaction, HiddenChange change) {
        put(transaction, change.isEmpty() ? SkippedTransaction.WITHOUT_EFFECT : new SkippedTransaction(change));
    }

    private ResumePosition before(TransactionState transaction) {
        return new ResumePosition(sent.build(), transaction.file(), transaction.offset());
    }

    private Token token(TransactionState transaction, TokenBody body) {
        if (belowFrontier && !frontier.contains(transaction.sid(), transaction.gno())) {
            belowFrontier = false;
            keys.passFrontier();
        }
        if (hasCorrections && corrections.gtids().contains(transaction.sid(), transaction.gno())) {
            return correction(transaction, body);
        }
        long commitMicros = keys.commitMicros(transaction.commitMicros());
        long key = keys.next(commitMicros == 0 ? transaction.eventMicros() : commitMicros);
        LoggedTransaction logged = new LoggedTransaction(
                transaction.sid(),
                transaction.gno(),
                position.file(),
                position.end(),
                commitMicros,
                transaction.lastCommitted(),
                transaction.sequenceNumber());
        return new Token(shard, key, order.tso(transaction), logged, body);
    }

    /**
     * The token of a correction. It is logged later than the transactions that follow it, so its times and its position do not count for theirs.
     */
    private Token correction(TransactionState transaction, TokenBody body) {
        LoggedTransaction logged = new LoggedTransaction(
                transaction.sid(),
                transaction.gno(),
                lastFile,
                lastOffset,
                transaction.commitMicros(),
                LoggedTransaction.ALONE,
                0);
        return new Token(shard, keys.correction(), order.tso(transaction), logged, body);
    }

    private void send(Token token, TransactionState transaction) {
        if (token.kind() == TokenKind.ROUND) {
            keys.roundRead(transaction.round(), transaction.roundClock());
        }
        sent.add(transaction.sid(), transaction.gno());
        lastFile = token.file();
        lastOffset = token.end();
        tokens++;
        order.put(token, transaction);
    }

    /** Releases the tokens that have not left. */
    @Override
    public void close() {
        order.close();
    }
}
