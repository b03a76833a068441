package io.tributary.extractor.stream;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
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

    /** Sends a token without payload. */
    void put(TokenKind kind, TransactionState transaction, Xid xid) {
        send(token(kind, transaction, xid, false, null), transaction);
    }

    /** Sends the token of a transaction that has just ended, with the payload that was written for it. */
    void putWithPayload(TokenKind kind, TransactionState transaction, Xid xid, Ddl ddl) {
        send(token(kind, transaction, xid, true, ddl), transaction);
    }

    /** Sends the token, without payload, of a transaction about which an operator has to decide. */
    void putQuestion(TokenKind kind, TransactionState transaction, Xid xid) {
        send(token(kind, transaction, xid, false, null).asking(transaction.question()), transaction);
    }

    /** Sends the token of a statement that is not written and may change hidden tables. */
    void putHidden(TransactionState transaction, HiddenChange change) {
        Token token = token(TokenKind.SKIPPED, transaction, null, false, null);
        send(change.isEmpty() ? token : token.hiding(change), transaction);
    }

    private Token token(TokenKind kind, TransactionState transaction, Xid xid, boolean hasPayload, Ddl ddl) {
        List<TableRef> tables = hasPayload ? payload.tables() : List.of(); // before the payload is finished
        Payload events = hasPayload ? payload.finish() : null;
        if (belowFrontier && !frontier.contains(transaction.sid(), transaction.gno())) {
            belowFrontier = false;
            keys.passFrontier();
        }
        long commitMicros = keys.commitMicros(transaction.commitMicros());
        long key = keys.next(commitMicros == 0 ? transaction.eventMicros() : commitMicros);
        boolean isRound = kind == TokenKind.ROUND;
        Token.Before before = kind == TokenKind.PREPARE || isRound && order.marksRounds()
                ? new Token.Before(sent.build(), transaction.file(), transaction.offset())
                : null;
        return new Token(
                kind,
                shard,
                key,
                transaction.sid(),
                transaction.gno(),
                position.file(),
                position.end(),
                isRound ? transaction.round() : 0,
                commitMicros,
                transaction.lastCommitted(),
                transaction.sequenceNumber(),
                order.tso(transaction),
                xid,
                events,
                tables,
                ddl,
                before);
    }

    private void send(Token token, TransactionState transaction) {
        if (token.kind() == TokenKind.ROUND) {
            keys.roundRead(transaction.round(), transaction.roundClock());
        }
        sent.add(transaction.sid(), transaction.gno());
        lastFile = position.file();
        lastOffset = position.end();
        tokens++;
        order.put(token, transaction);
    }

    /** Releases the tokens that have not left. */
    @Override
    public void close() {
        order.close();
    }
}
