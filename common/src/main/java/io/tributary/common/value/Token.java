package io.tributary.common.value;

import io.tributary.common.gtid.Sid;
import java.util.List;
import java.util.Objects;

/**
 * One GTID of a shard's binlog, as the extractor passes it to the merger and the collector. Immutable; the reader of the last link owns the
 * payload. It repeats the values of its body that are read for every token: a call of the body is an interface call with many targets.
 */
public final class Token {
    /** Bits of a key below the round. */
    public static final int KEY_TIME_BITS = 28;

    private final int shard;
    private final long key;
    private final long tso;
    private final Sid sid;
    private final long gno;
    private final String file;
    private final long end;
    private final long commitMicros;
    private final long lastCommitted;
    private final long sequenceNumber;
    private final TokenBody body; // null for a LocalTransaction: its values are here, and most tokens have one
    private final TokenKind kind;
    private final Payload payload;
    private final List<TableRef> tables;
    private final Question question;

    /**
     * @param shard the shard's index, from 0
     * @param key the merge key, see {@link #key(long, long)}: not less than the key of the token before it in the shard's binlog
     * @param tso in `tso` order: the commit timestamp of its transaction, 1..2^63-1; or, if it has none, minus the timestamp that it
     *     directly follows on its shard; 0 in `xa` order
     * @param logged its GTID, position and clocks in the shard's binlog
     * @param body what it does
     */
    public Token(int shard, long key, long tso, LoggedTransaction logged, TokenBody body) {
        this.shard = shard;
        this.key = key;
        this.tso = tso;
        this.sid = logged.sid();
        this.gno = logged.gno();
        this.file = logged.file();
        this.end = logged.end();
        this.commitMicros = logged.commitMicros();
        this.lastCommitted = logged.lastCommitted();
        this.sequenceNumber = logged.sequenceNumber();
        if (body instanceof TokenBody.LocalTransaction local) {
            this.body = null;
            this.kind = TokenKind.LOCAL;
            this.payload = local.payload();
            this.tables = local.tables();
            this.question = null;
        } else {
            this.body = Objects.requireNonNull(body, "body");
            this.kind = body.kind();
            this.payload = body.payload();
            this.tables = body.tables();
            this.question = body.question();
        }
    }

    /** The shard's index, from 0. */
    public int shard() {
        return shard;
    }

    /** The merge key: see {@link #key(long, long)}. */
    public long key() {
        return key;
    }

    /** The commit timestamp, minus the one that it follows, or 0: see the constructor. */
    public long tso() {
        return tso;
    }

    /** Its GTID, position and clocks in the shard's binlog. */
    public LoggedTransaction logged() {
        return new LoggedTransaction(sid, gno, file, end, commitMicros, lastCommitted, sequenceNumber);
    }

    /** What it does. */
    public TokenBody body() {
        return body == null ? new TokenBody.LocalTransaction(payload, tables) : body;
    }

    /** The kind of the transaction. */
    public TokenKind kind() {
        return kind;
    }

    /** The GTID's source. */
    public Sid sid() {
        return sid;
    }

    /** The GTID's number, from 1. */
    public long gno() {
        return gno;
    }

    /** The shard's binlog file that contains it. */
    public String file() {
        return file;
    }

    /** Offset after it in that file. */
    public long end() {
        return end;
    }

    /** Commit time in µs since 1970 by the shard's clock; 0 if the server does not write one. */
    public long commitMicros() {
        return commitMicros;
    }

    /** The source's own logical clock. */
    public long lastCommitted() {
        return lastCommitted;
    }

    /** The source's own logical clock. */
    public long sequenceNumber() {
        return sequenceNumber;
    }

    /** See {@link TokenBody#xid()}. */
    public Xid xid() {
        return body == null ? null : body.xid();
    }

    /** See {@link TokenBody#payload()}. */
    public Payload payload() {
        return payload;
    }

    /** See {@link TokenBody#tables()}. */
    public List<TableRef> tables() {
        return tables;
    }

    /** See {@link TokenBody#round()}. */
    public long round() {
        return body == null ? 0 : body.round();
    }

    /** See {@link TokenBody#before()}. */
    public ResumePosition before() {
        return body == null ? null : body.before();
    }

    /** See {@link TokenBody#ddl()}. */
    public Ddl ddl() {
        return body == null ? null : body.ddl();
    }

    /** See {@link TokenBody#question()}. */
    public Question question() {
        return question;
    }

    /** See {@link TokenBody#hidden()}. */
    public HiddenChange hidden() {
        return body == null ? HiddenChange.NONE : body.hidden();
    }

    /** Whether its transaction has a commit timestamp. */
    public boolean hasTso() {
        return tso > 0;
    }

    /** The TSO that it has, or that it directly follows, in `tso` order. */
    public long tsoPlace() {
        return Math.abs(tso);
    }

    /** The same with another {@link #tso()}. */
    public Token withTso(long newTso) {
        return newTso == tso ? this : new Token(shard, key, newTso, logged(), body());
    }

    /** The same transaction with another body; the payload is not released. */
    public Token with(TokenBody newBody) {
        return new Token(shard, key, tso, logged(), newBody);
    }

    /** A token for the same GTID that only moves the frontier; the payload is not released. */
    public Token skipped() {
        return with(TokenBody.SkippedTransaction.WITHOUT_EFFECT);
    }

    /** See {@link TokenBody#withPayload}. */
    public Token withPayload(Payload newPayload, List<TableRef> newTables) {
        return with(body().withPayload(newPayload, newTables));
    }

    /** See {@link TokenBody#asking}. */
    public Token asking(Question newQuestion) {
        return with(body().asking(newQuestion));
    }

    /** Releases the payload, if there is one. */
    public void release() {
        if (payload != null) {
            payload.release();
        }
    }

    /**
     * The merge key, as one long: first the number of the round that ends the token's window (the last round
     * seen on the shard + 1; 35 bits), then the µs since the writer's clock of that last round, limited to [0, 2^28) with 0 skew in
     * the middle. So a wrong clock moves a token only within its window.
     *
     * @param window the last round seen on this shard + 1
     * @param microsSinceRound commit time minus the writer's clock in the last round, µs, may be negative
     */
    public static long key(long window, long microsSinceRound) {
        long middle = 1L << (KEY_TIME_BITS - 1);
        long time = Math.max(0, Math.min((1L << KEY_TIME_BITS) - 1, microsSinceRound + middle));
        return window << KEY_TIME_BITS | time;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Token token
                        && shard == token.shard
                        && key == token.key
                        && tso == token.tso
                        && logged().equals(token.logged())
                        && body().equals(token.body());
    }

    @Override
    public int hashCode() {
        return Objects.hash(shard, key, tso, logged(), body());
    }

    /** The fields that a log line may show: kind, shard, GTID; never row data. */
    @Override
    public String toString() {
        return kind() + "[shard " + shard + " " + sid() + ":" + gno() + (xid() == null ? "" : " " + xid())
                + (round() == 0 ? "" : " round " + round())
                + (hasTso() ? " tso " + tso : "") + "]";
    }
}
