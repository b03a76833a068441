package io.tributary.collector;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.Xid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
            cuts.add(ShardCut.unread("s" + shard, "", GtidSet.EMPTY, GtidSet.EMPTY));
        }
        return Cut.beginning(cuts).under(1);
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
        return token(sequence, new TokenBody.LocalTransaction(payload, List.of(tables)));
    }

    public Token local(long lastCommitted, Payload payload) {
        return token(lastCommitted, new TokenBody.LocalTransaction(payload, List.of()));
    }

    public Token prepare(Xid xid, Payload payload, TableRef... tables) {
        return token(sequence, new TokenBody.PreparedBranch(xid, before(), payload, List.of(tables)));
    }

    public Token commit(Xid xid) {
        return token(sequence, new TokenBody.CommittedBranch(xid));
    }

    public Token rollback(Xid xid) {
        return token(sequence, new TokenBody.RolledBackBranch(xid));
    }

    public Token round(long round) {
        return token(sequence, new TokenBody.HeartbeatRound(round, marksRounds ? before() : null));
    }

    public Token skipped() {
        return token(sequence, TokenBody.SkippedTransaction.WITHOUT_EFFECT);
    }

    public Token skipped(HiddenChange change) {
        return token(sequence, new TokenBody.SkippedTransaction(change));
    }

    public Token ddl(Ddl ddl, Payload payload) {
        return token(sequence, new TokenBody.LoggedDdl(ddl, payload, List.of()));
    }

    /** All that was written so far. */
    public GtidSet executed() {
        return executed.build();
    }

    /** The same token as another extractor sends it: with the index that the shard has there, and with its own payload. */
    public static Token again(Token token, int shard, Payload payload) {
        TokenBody body = payload == null && token.payload() == null
                ? token.body()
                : token.body().withPayload(payload, token.tables());
        return new Token(shard, token.key(), token.tso(), token.logged(), body);
    }

    private ResumePosition before() {
        return new ResumePosition(executed.build(), file, 100 * gno + 4);
    }

    private Token token(long lastCommitted, TokenBody body) {
        gno++;
        sequence++;
        key++;
        executed.add(sid, gno);
        long micros = 1_700_000_000_000_000L + key;
        return new Token(
                shard,
                key,
                0,
                new LoggedTransaction(sid, gno, file, 100 * gno + 4, micros, lastCommitted, sequence),
                body);
    }
}
