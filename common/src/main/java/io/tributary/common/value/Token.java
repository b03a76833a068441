package io.tributary.common.value;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import java.util.List;

/**
 * One GTID of a shard's binlog, as the extractor passes it to the merger and the collector. The reader of the last
 * link owns the payload.
 *
 * @param kind the kind of the transaction
 * @param shard the shard's index, from 0
 * @param key the merge key, see {@link #key(long, long)}: not less than the key of the token before it in the shard's binlog
 * @param sid the GTID's source
 * @param gno the GTID's number, from 1
 * @param file the shard's binlog file that contains it
 * @param end offset after it in that file
 * @param round the heartbeat round's number (ROUND), else 0
 * @param commitMicros commit time in µs since 1970 by the shard's clock; 0 if the server does not write one
 * @param lastCommitted the source's own logical clock
 * @param sequenceNumber the source's own logical clock
 * @param tso in `tso` order: the commit timestamp of its transaction, 1..2^63-1; or, if it has none, minus the timestamp that it
 *     directly follows on its shard; 0 in `xa` order
 * @param xid the branch (PREPARE, COMMIT, ROLLBACK), else null
 * @param payload the events (LOCAL, PREPARE, DDL), else null
 * @param tables the shapes of the tables whose rows the payload holds, each once
 * @param ddlOrQuestion the statement (DDL); or why an operator has to decide about the token before it can be processed (LOCAL, PREPARE,
 *     COMMIT, DDL): it then has no payload, and represents the rest of the transaction, for a PREPARE a branch without rows, for the
 *     others nothing; or the effect of a statement that is not written on hidden tables (SKIPPED); otherwise null
 * @param before the position from which to read this token again (PREPARE; ROUND in `tso` order), else null
 */
public record Token(
        TokenKind kind,
        int shard,
        long key,
        Sid sid,
        long gno,
        String file,
        long end,
        long round,
        long commitMicros,
        long lastCommitted,
        long sequenceNumber,
        long tso,
        Xid xid,
        Payload payload,
        List<TableRef> tables,
        DdlOrQuestion ddlOrQuestion,
        Before before) {

    /** Bits of a key below the round. */
    public static final int KEY_TIME_BITS = 28;

    /** A token of `xa` order, which has no TSO. */
    public Token(
            TokenKind kind,
            int shard,
            long key,
            Sid sid,
            long gno,
            String file,
            long end,
            long round,
            long commitMicros,
            long lastCommitted,
            long sequenceNumber,
            Xid xid,
            Payload payload,
            List<TableRef> tables,
            Ddl ddl,
            Before before) {
        this(
                kind,
                shard,
                key,
                sid,
                gno,
                file,
                end,
                round,
                commitMicros,
                lastCommitted,
                sequenceNumber,
                0,
                xid,
                payload,
                tables,
                ddl,
                before);
    }

    /**
     * The position before a token.
     *
     * @param executed all GTIDs of the shard before it
     * @param file the file in which it begins
     * @param offset the offset in that file at which it begins
     */
    public record Before(GtidSet executed, String file, long offset) {}

    /** The statement (DDL), else null. */
    public Ddl ddl() {
        return ddlOrQuestion instanceof Ddl ddl ? ddl : null;
    }

    /** Why an operator has to decide about it before it can be processed, else null. */
    public Question question() {
        return ddlOrQuestion instanceof Question question ? question : null;
    }

    /** The effect of its statement on hidden tables of its shard (DDL, SKIPPED); {@link HiddenChange#NONE} = none. */
    public HiddenChange hidden() {
        if (ddlOrQuestion instanceof Ddl ddl) {
            return ddl.hidden();
        }
        return ddlOrQuestion instanceof HiddenChange change ? change : HiddenChange.NONE;
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
        return newTso == tso ? this : with(kind, round, newTso, payload, tables, ddlOrQuestion, before);
    }

    /** A token for the same GTID that only moves the frontier; the payload is not released. */
    public Token skipped() {
        return with(TokenKind.SKIPPED, 0, tso, null, List.of(), null, null);
    }

    /** The same with the effect of its statement on hidden tables. */
    public Token hiding(HiddenChange change) {
        return with(kind, round, tso, payload, tables, change, before);
    }

    /** The same with another statement in place of its own. */
    public Token withDdl(Ddl other) {
        return with(kind, round, tso, payload, tables, other, before);
    }

    /** The same with other events; the previous payload is not released. */
    public Token withPayload(Payload newPayload, List<TableRef> newTables) {
        return with(kind, round, tso, newPayload, newTables, ddlOrQuestion, before);
    }

    /** The same with a question to the operator and without its events; the payload is not released. */
    public Token asking(Question newQuestion) {
        return with(kind, round, tso, null, List.of(), newQuestion, before);
    }

    /** Releases the payload, if there is one. */
    public void release() {
        if (payload != null) {
            payload.release();
        }
    }

    private Token with(
            TokenKind newKind,
            long newRound,
            long newTso,
            Payload newPayload,
            List<TableRef> newTables,
            DdlOrQuestion newDdlOrQuestion,
            Before newBefore) {
        return new Token(
                newKind,
                shard,
                key,
                sid,
                gno,
                file,
                end,
                newRound,
                commitMicros,
                lastCommitted,
                sequenceNumber,
                newTso,
                xid,
                newPayload,
                newTables,
                newDdlOrQuestion,
                newBefore);
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

    /** The fields that a log line may show: kind, shard, GTID; never row data. */
    @Override
    public String toString() {
        return kind + "[shard " + shard + " " + sid + ":" + gno + (xid == null ? "" : " " + xid)
                + (round == 0 ? "" : " round " + round)
                + (hasTso() ? " tso " + tso : "") + "]";
    }
}
