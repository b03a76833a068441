package io.tributary.collector.schema;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Question;
import io.tributary.common.value.RefusedTransaction;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions at which a shard is held until an operator decides, and the transactions that operators decided to leave out. While a shard is held
 * the others continue, and the shard is still read. For one thread.
 */
public final class OpenQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(OpenQuestions.class);

    private final Map<Integer, LeftOut> shards = new HashMap<>();
    private Map<String, Held> held = new LinkedHashMap<>();
    private Map<String, Held> before = Map.of();
    private boolean hasOrders;
    private long version = 1;
    private long now;

    /** The transactions of one shard that are left out. */
    private static final class LeftOut {
        private final String name;
        private GtidSet exactly;
        private GtidSet ifRefused;

        LeftOut(ShardCut from) {
            this.name = from.name();
            this.exactly = from.leftOut();
            this.ifRefused = from.leftOutIfRefused();
        }
    }

    /**
     * A shard that is held.
     *
     * @param token the token of the transaction; its payload is owned by the shard's queue
     */
    record Held(String id, int shard, String shardName, Token token, Question question, long sinceNanos) {
        Gtid gtid() {
            return new Gtid(token.sid(), token.gno());
        }
    }

    /** @param from the shards of the cut, in the order of their indexes */
    OpenQuestions(List<ShardCut> from) {
        for (int shard = 0; shard < from.size(); shard++) {
            join(shard, from.get(shard));
        }
    }

    /** Sets the time; call this regularly. */
    void tick(long nanoTime) {
        now = nanoTime;
    }

    /** Adds a shard. */
    void join(int shard, ShardCut from) {
        shards.put(shard, new LeftOut(from));
        hasOrders |= !from.leftOut().isEmpty() || !from.leftOutIfRefused().isEmpty();
    }

    /** A shard has left. */
    void leave(int shard) {
        shards.remove(shard);
        held.values().removeIf(each -> each.shard() == shard);
        changed();
    }

    /** The transactions of a shard that are left out in any case. */
    public GtidSet leftOut(int shard) {
        return shards.get(shard).exactly;
    }

    /** The transactions of a shard that are left out if they must be refused. */
    public GtidSet leftOutIfRefused(int shard) {
        return shards.get(shard).ifRefused;
    }

    /** Increases whenever a held shard may continue, or is held again. */
    long version() {
        return version;
    }

    /** The reason for which a shard is held may have ended. */
    public void changed() {
        version++;
    }

    /** Whether no shard is held. */
    public boolean isEmpty() {
        return held.isEmpty();
    }

    /** Whether an operator decided to leave out the rows of this token in any case. */
    public boolean isLeftOut(Token token) {
        return hasOrders && shards.get(token.shard()).exactly.contains(token.sid(), token.gno());
    }

    /** Whether a token that must be refused is left out by an operator's decision. */
    public boolean leavesOut(Token token) {
        if (!hasOrders) {
            return false;
        }
        LeftOut shard = shards.get(token.shard());
        if (shard.exactly.contains(token.sid(), token.gno())) {
            return true;
        }
        if (!shard.ifRefused.contains(token.sid(), token.gno())) {
            return false;
        }
        leaveOut(token);
        return true;
    }

    /** Records for cuts that a token is left out. */
    public void leaveOut(Token token) {
        LeftOut shard = shards.get(token.shard());
        shard.exactly = shard.exactly.plus(token.sid(), token.gno());
        hasOrders = true;
        LOG.warn(
                "transaction left out: shard={} gtid={} file={} offset={} reason=\"an operator's decision\""
                        + " effect=\"its rows are not in the global binlog\"",
                shard.name,
                Gtid.text(token.sid(), token.gno()),
                token.file(),
                token.end());
    }

    /** The held shards are tried again; those that are still held call {@link #hold} again. */
    public void retry() {
        if (!held.isEmpty()) {
            version++;
        }
        before = held;
        held = new LinkedHashMap<>();
    }

    /** The shard of the token is held at this token. */
    public void hold(Token token, Question question) {
        String id = id(token);
        Held known = before.get(id);
        LeftOut shard = shards.get(token.shard());
        Held now =
                new Held(id, token.shard(), shard.name, token, question, known == null ? this.now : known.sinceNanos());
        held.put(id, now);
        if (known == null) {
            version++;
            LOG.warn(
                    "shard held: shard={} id={} code={} reason=\"{}\" effect=\"other shards continue\" action=\"to"
                            + " leave the transaction out, run {}\"",
                    shard.name,
                    id,
                    question.code(),
                    question.message(),
                    command(now));
        }
    }

    static String command(Held held) {
        return new RefusedTransaction(held.shardName(), held.gtid()).command();
    }

    /** An id that is the same each time the transaction is processed. */
    private String id(Token token) {
        CRC32 crc = new CRC32();
        crc.update((shards.get(token.shard()).name + "/" + Gtid.text(token.sid(), token.gno()))
                .getBytes(StandardCharsets.UTF_8));
        return String.format("q%08x", crc.getValue());
    }

    /** Leaves out the transaction of a question. */
    String skip(Held asked) {
        leaveOut(asked.token());
        changed();
        return "transaction " + asked.gtid() + " of shard " + asked.shardName()
                + " is left out: bring its rows to the readers by hand";
    }

    /**
     * Leaves out the transaction at which a shard is held.
     *
     * @param until null for that transaction alone, else also all of the same source up to it that must be refused
     * @return what was done
     * @throws TributaryException DECISION_REFUSED
     */
    public String skip(String shard, Gtid gtid, Gtid until) {
        Held asked = held.values().stream()
                .filter(each -> each.shardName().equals(shard) && each.gtid().equals(gtid))
                .findFirst()
                .orElseThrow(() -> OperatorDecisions.refused("expected the transaction at which shard " + shard
                        + " is held, found " + gtid + "; " + heldOf(shard)));
        if (until == null) {
            return skip(asked);
        }
        if (!until.sid().equals(gtid.sid()) || until.gno() < gtid.gno()) {
            throw OperatorDecisions.refused(
                    "expected --until with a GTID of " + gtid.sid() + " from " + gtid.gno() + " on, found " + until);
        }
        LeftOut of = shards.get(asked.shard());
        of.ifRefused = of.ifRefused.toBuilder()
                .addRange(gtid.sid(), gtid.gno(), until.gno())
                .build();
        hasOrders = true;
        changed();
        return "transactions " + gtid + " to " + until.gno() + " of shard " + shard
                + " are left out if they must be refused: bring their rows to the readers by hand";
    }

    private String heldOf(String shard) {
        return held.values().stream()
                .filter(each -> each.shardName().equals(shard))
                .findFirst()
                .map(each -> "it is held at " + each.gtid())
                .orElse("it is not held");
    }

    Collection<Held> all() {
        return held.values();
    }

    /** All held shards, for the cut. */
    List<HeldQuestion> forCut() {
        List<HeldQuestion> questions = new ArrayList<>();
        held.values()
                .forEach(each ->
                        questions.add(new HeldQuestion(each.id(), each.shardName(), each.gtid(), each.question())));
        return questions;
    }
}
