package io.tributary.collector;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Payload;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Writes the tokens of one shard one after another, in the order of its log. */
public final class Tokens {
    private final int shard;
    private final boolean marksRounds;
    private final Sid sid;
    private final GtidSet.Builder executed = new GtidSet.Builder();
    private long gno;
    private long key;
    private long sequence;
    private String file = "binlog.000001";

    public Tokens(int shard) {
        this(shard, false);
    }

    private Tokens(int shard, boolean marksRounds) {
        this.shard = shard;
        this.marksRounds = marksRounds;
        this.sid = new Sid(new UUID(7, shard));
    }

    /** Tokens of an extractor in tso order, whose rounds contain the GTIDs before them. */
    public static Tokens ofTsoOrder(int shard) {
        return new Tokens(shard, true);
    }

    public static Cut firstCut(int shards) {
        List<ShardCut> cuts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            cuts.add(new ShardCut("s" + shard, "", GtidSet.EMPTY, GtidSet.EMPTY, "", 4, 0, 0));
        }
        return new Cut(1, 0, 0, 0, cuts, Set.of(), SchemaState.NONE);
    }

    public static Xid xid(String gtrid, String bqual) {
        return new Xid(gtrid.getBytes(StandardCharsets.UTF_8), bqual.getBytes(StandardCharsets.UTF_8), 1);
    }

    /** The next tokens are in a new file. */
    public void rotate(String next) {
        file = next;
        sequence = 0;
    }

    /** Time passes: the next key is larger by this. */
    public void pass(long time) {
        key += time;
    }

    public Token local(Payload payload, TableRef... tables) {
        return token(TokenKind.LOCAL, 0, sequence, null, payload, List.of(tables), null);
    }

    public Token local(long lastCommitted, Payload payload) {
        return token(TokenKind.LOCAL, 0, lastCommitted, null, payload, List.of(), null);
    }

    public Token prepare(Xid xid, Payload payload, TableRef... tables) {
        return token(TokenKind.PREPARE, 0, sequence, xid, payload, List.of(tables), null);
    }

    public Token commit(Xid xid) {
        return token(TokenKind.COMMIT, 0, sequence, xid, null, List.of(), null);
    }

    public Token rollback(Xid xid) {
        return token(TokenKind.ROLLBACK, 0, sequence, xid, null, List.of(), null);
    }

    public Token round(long round) {
        return token(TokenKind.ROUND, round, sequence, null, null, List.of(), null);
    }

    public Token skipped() {
        return token(TokenKind.SKIPPED, 0, sequence, null, null, List.of(), null);
    }

    public Token ddl(Ddl ddl, Payload payload) {
        return token(TokenKind.DDL, 0, sequence, null, payload, List.of(), ddl);
    }

    /** All that was written so far. */
    public GtidSet executed() {
        return executed.build();
    }

    /** The same token as another extractor sends it: with the index that the shard has there, and with its own payload. */
    public static Token again(Token token, int shard, Payload payload) {
        return new Token(
                token.kind(),
                shard,
                token.key(),
                token.sid(),
                token.gno(),
                token.file(),
                token.end(),
                token.round(),
                token.commitMicros(),
                token.lastCommitted(),
                token.sequenceNumber(),
                token.tso(),
                token.xid(),
                payload,
                token.tables(),
                token.ddl(),
                token.before());
    }

    private Token token(
            TokenKind kind, long round, long lastCommitted, Xid xid, Payload payload, List<TableRef> tables, Ddl ddl) {
        Token.Before before = kind == TokenKind.PREPARE || marksRounds && kind == TokenKind.ROUND
                ? new Token.Before(executed.build(), file, 100 * gno + 4)
                : null;
        gno++;
        sequence++;
        key++;
        executed.add(sid, gno);
        long micros = 1_700_000_000_000_000L + key;
        return new Token(
                kind,
                shard,
                key,
                sid,
                gno,
                file,
                100 * gno + 4,
                round,
                micros,
                lastCommitted,
                sequence,
                xid,
                payload,
                tables,
                ddl,
                before);
    }
}
