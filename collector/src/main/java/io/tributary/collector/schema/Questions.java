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
 * Transactions at which a shard is held until an operator decides, and what operators ordered to leave out. While a shard is held the
 * others go on, and the shard is read on. For one thread.
 */
public final class Questions {
    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

    private final Map<Integer, LeftOut> shards = new HashMap<>();
    private Map<String, Held> held = new LinkedHashMap<>();
    private Map<String, Held> before = Map.of();
    private boolean hasOrders;
    private long version = 1;
    private long now;

    /** What is left out of a shard. */
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
     * @param token the transaction's; its payload is not this one's
     */
    record Held(String id, int shard, String shardName, Token token, Question question, long sinceNanos) {
        Gtid gtid() {
            return new Gtid(token.sid(), token.gno());
        }
    }

    /** @param from the shards of the cut, in the order of their indexes */
    public Questions(List<ShardCut> from) {
        for (int shard = 0; shard < from.size(); shard++) {
            join(shard, from.get(shard));
        }
    }

    /** Tells the time; to be called now and then. */
    public void tick(long nanoTime) {
        now = nanoTime;
    }

    /** One more shard. */
    public void join(int shard, ShardCut from) {
        shards.put(shard, new LeftOut(from));
        hasOrders |= !from.leftOut().isEmpty() || !from.leftOutIfRefused().isEmpty();
    }

    /** A shard has left. */
    public void leave(int shard) {
        shards.remove(shard);
        held.values().removeIf(each -> each.shard() == shard);
        changed();
    }

    /** What is left out of a shard exactly. */
    public GtidSet leftOut(int shard) {
        return shards.get(shard).exactly;
    }

    /** What is left out of a shard where it has to be refused. */
    public GtidSet leftOutIfRefused(int shard) {
        return shards.get(shard).ifRefused;
    }

    /** Grows whenever a shard that is held may go on, or is held again. */
    public long version() {
        return version;
    }

    /** What a shard is held for may be over. */
    public void changed() {
        version++;
    }

    /** Whether any shard is held. */
    public boolean isEmpty() {
        return held.isEmpty();
    }

    /** Whether it was ordered to leave the rows of this token out; without regard to whether it has to be refused. */
    public boolean isLeftOut(Token token) {
        return hasOrders && shards.get(token.shard()).exactly.contains(token.sid(), token.gno());
    }

    /** Whether a token that has to be refused is left out, as an operator ordered. */
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

    /** Notes that a token is left out, for cuts. */
    public void leaveOut(Token token) {
        LeftOut shard = shards.get(token.shard());
        shard.exactly = shard.exactly.plus(token.sid(), token.gno());
        hasOrders = true;
        LOG.warn(
                "transaction left out: shard={} gtid={} file={} offset={}: its rows are not in the global binlog, as an"
                        + " operator ordered",
                shard.name,
                Gtid.text(token.sid(), token.gno()),
                token.file(),
                token.end());
    }

    /** The lines of all held shards are tried again: what is still held says so once more. */
    public void retry() {
        if (!held.isEmpty()) {
            version++;
        }
        before = held;
        held = new LinkedHashMap<>();
    }

    /** The shard of the token is held there. */
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
                    "shard held: shard={} id={} code={} {}; other shards go on; to leave the transaction out: {}",
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

    /** The same whenever the transaction is met. */
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
     * @param until null for that one alone, else also all of the same source that have to be refused up to it
     * @return what was done
     * @throws TributaryException ORDER_REFUSED
     */
    public String skip(String shard, Gtid gtid, Gtid until) {
        Held asked = held.values().stream()
                .filter(each -> each.shardName().equals(shard) && each.gtid().equals(gtid))
                .findFirst()
                .orElseThrow(() -> OperatorOrders.refused("expected the transaction at which shard " + shard
                        + " is held, found " + gtid + "; " + heldOf(shard)));
        if (until == null) {
            return skip(asked);
        }
        if (!until.sid().equals(gtid.sid()) || until.gno() < gtid.gno()) {
            throw OperatorOrders.refused(
                    "expected --until with a GTID of " + gtid.sid() + " from " + gtid.gno() + " on, found " + until);
        }
        LeftOut of = shards.get(asked.shard());
        of.ifRefused = of.ifRefused.toBuilder()
                .addRange(gtid.sid(), gtid.gno(), until.gno())
                .build();
        hasOrders = true;
        changed();
        return "transactions " + gtid + " to " + until.gno() + " of shard " + shard
                + " are left out where they have to be refused: bring their rows to the readers by hand";
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

    /** For the cut. */
    List<HeldQuestion> forCut() {
        List<HeldQuestion> questions = new ArrayList<>();
        held.values()
                .forEach(each ->
                        questions.add(new HeldQuestion(each.id(), each.shardName(), each.gtid(), each.question())));
        return questions;
    }
}
