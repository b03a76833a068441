package io.tributary.extractor;

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
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes one token of each transaction, sends it on its way, and knows all GTIDs that were taken so. */
final class TokenWriter implements AutoCloseable {
    private final int shard;
    private final Departure departure;
    private final MergeKeys keys;
    private final GtidSet frontier;
    private final GtidSet.Builder sent;
    private final LogPosition position;
    private String lastFile; // the place of what was sent
    private long lastOffset;
    private boolean belowFrontier;
    private long tokens;

    TokenWriter(int shard, ShardCut from, LogPosition position, Departure departure) {
        this.shard = shard;
        this.departure = departure;
        this.keys = new MergeKeys(from);
        this.frontier = from.frontier();
        this.sent = from.resume().toBuilder();
        this.position = position;
        this.lastFile = from.file();
        this.lastOffset = from.offset();
        this.belowFrontier = !from.resume().equals(from.frontier());
    }

    boolean hasRoom() {
        return departure.hasRoom();
    }

    /** Sends tokens that were held back; how many. */
    int release() {
        return departure.release();
    }

    /** All GTIDs that need not be read again. */
    GtidSet sent() {
        return sent.build();
    }

    /** Up to where the shard's binlog has been taken. */
    ReadPlace place() {
        return new ReadPlace(lastFile, lastOffset, sent.build(), tokens > 0);
    }

    /** Whether a transaction was taken already. */
    boolean hasSent(Sid sid, long gno) {
        return sent.contains(sid, gno);
    }

    /** The branches for whose decision tokens wait here; any thread. */
    CompletableFuture<List<UndecidedBranch>> undecided() {
        return departure.undecided();
    }

    /** Tokens sent so far. */
    long tokens() {
        return tokens;
    }

    /** A token without payload. */
    void put(TokenKind kind, OpenTransaction transaction, Xid xid) {
        put(kind, transaction, xid, null, List.of(), null);
    }

    /** The token of a transaction that has just ended. */
    void put(TokenKind kind, OpenTransaction transaction, Xid xid, Payload payload, List<TableRef> tables, Ddl ddl) {
        send(token(kind, transaction, xid, payload, tables, ddl), transaction);
    }

    /** The token, without payload, of a transaction about which an operator has to decide. */
    void putQuestion(TokenKind kind, OpenTransaction transaction, Xid xid) {
        send(token(kind, transaction, xid, null, List.of(), null).asking(transaction.question()), transaction);
    }

    /** The token of a statement that is not written, which may do something to hidden tables. */
    void putHidden(OpenTransaction transaction, HiddenChange change) {
        Token token = token(TokenKind.SKIPPED, transaction, null, null, List.of(), null);
        send(change.isEmpty() ? token : token.hiding(change), transaction);
    }

    private Token token(
            TokenKind kind, OpenTransaction transaction, Xid xid, Payload payload, List<TableRef> tables, Ddl ddl) {
        if (belowFrontier && !frontier.contains(transaction.sid(), transaction.gno())) {
            belowFrontier = false;
            keys.behindFrontier();
        }
        long commitMicros = keys.commitMicros(transaction.commitMicros());
        long key = keys.next(commitMicros == 0 ? transaction.eventMicros() : commitMicros);
        boolean isRound = kind == TokenKind.ROUND;
        Token.Before before = kind == TokenKind.PREPARE || isRound && departure.marksRounds()
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
                departure.tso(transaction),
                xid,
                payload,
                tables,
                ddl,
                before);
    }

    private void send(Token token, OpenTransaction transaction) {
        if (token.kind() == TokenKind.ROUND) {
            keys.roundRead(transaction.round(), transaction.roundClock());
        }
        sent.add(transaction.sid(), transaction.gno());
        lastFile = position.file();
        lastOffset = position.end();
        tokens++;
        departure.put(token, transaction);
    }

    /** Gives back what has not left. */
    @Override
    public void close() {
        departure.close();
    }
}
