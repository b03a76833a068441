package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.JoiningShard;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one more shard into a running pipeline (docs/ordering.md, "Shards come and go").
 *
 * <pre>
 *   resume:   all that the shard has executed; what is prepared by then gets decided, the others meanwhile continue
 *   expect:   no distributed transaction comes out any more before this shard's rounds have come too
 *   take over: no other writer of rounds has any say on the shard; the next round goes to it too
 *   frontier: all that the shard has executed, once what was prepared before is decided; from here on its transactions come out
 *   join:     it is read from resume on; with its first round at the latest it stands in every cut, and the others continue
 * </pre>
 */
final class ShardJoin {
    private static final Logger LOG = LoggerFactory.getLogger(ShardJoin.class);

    /** For how long distributed transactions may be held up by branches of the shard that are not decided. */
    private static final Duration MOST_HELD_UP = Duration.ofSeconds(10);

    /** A PREPARE that is in the shard's binlog is among its prepared branches soon after, not at once. */
    private static final long SETTLE_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final ShardConfig config;
    private final MysqlClient client;
    private final TaskPipeline pipeline;
    private final Waiting waiting;
    private final Consumer<String> says;

    /**
     * @param pipeline does not have the shard
     * @param says told what is done now
     */
    ShardJoin(
            String name,
            ShardConfig config,
            MysqlClient client,
            TaskPipeline pipeline,
            Waiting waiting,
            Consumer<String> says) {
        this.name = name;
        this.config = config;
        this.client = client;
        this.pipeline = pipeline;
        this.waiting = waiting;
        this.says = says;
    }

    /**
     * Blocks until the shard is read and nobody waits for it any more.
     *
     * @return the number of the first cut that has it
     * @throws TributaryException why the shard was not taken in; nothing has changed then
     */
    long run() {
        requireFit();
        try (JoiningShard shard = new JoiningShard(name, config, client)) {
            GtidSet resume = shard.executed();
            says.accept("shard " + name + " is fit; what is prepared there is decided first");
            awaitDecided(shard, waiting);
            int index = waiting.answer(pipeline.collector().expect(), "the collector");
            ShardCut from;
            try {
                from = place(shard, resume);
            } catch (RuntimeException e) {
                var unused = List.of(
                        pipeline.rounds().exclude(name), pipeline.collector().giveUp(index)); // nobody waits for it
                throw e;
            }
            try {
                return join(index, from);
            } catch (TributaryException e) {
                throw outOrIn(index, e);
            }
        }
    }

    private long join(int index, ShardCut from) {
        pipeline.join(index, config, from, waiting);
        LOG.info("shard {}: joins behind {}", name, from.frontier().line());
        waiting.answer(pipeline.list(index, name, config), "the names of the tables of shard " + name);
        says.accept("shard " + name + " is read behind " + from.frontier().line());
        long[] cut = {0};
        waiting.until(
                () -> {
                    cut[0] = waiting.answer(pipeline.collector().joined(index), "the collector");
                    return cut[0] != 0;
                },
                () -> "the first round of shard " + name);
        return cut[0];
    }

    /** Patience is at its end: has a shard that no cut has yet go again, and says what is the case. */
    private TributaryException outOrIn(int index, TributaryException why) {
        Waiting last = waiting.anew(MOST_HELD_UP);
        if (!pipeline.isRunning()) {
            return why;
        }
        if (!last.answer(pipeline.collector().giveUp(index), "the collector")) {
            return Waiting.failed(why.getMessage() + " (the shard has joined: it is no use to add it again)");
        }
        pipeline.readers().all().stream()
                .filter(reader -> reader.index() == index)
                .forEach(reader -> pipeline.leave(reader, last));
        return why;
    }

    private void requireFit() {
        says.accept("looks at shard " + name);
        if (config.beginsAtGtids()) {
            throw Waiting.failed("expected no GTIDs in shard." + name
                    + ".start: a shard that is added to a running node is read from that moment on");
        }
        if (config.rounds().isPresent()) { // what is prepared on the primary may come to a replica that lags only later
            throw Waiting.failed("expected no shard." + name
                    + ".rounds: a shard that is added to a running node is read where its rounds are written");
        }
        ShardCheck.Report report = new ShardCheck(client).check(Map.of(name, config), Map.of());
        report.without(code -> code == ErrorCode.SHARD_POSITION_PURGED).requireFit();
        waiting.answer(pipeline.canList(name, config), "the names of the tables of shard " + name);
        pipeline.otherWriters().requireNone(Map.of(name, config)); // ours would end another node that is alive
        String uuid = report.facts().get(name).uuid();
        pipeline.readers().all().forEach(other -> requireOther(other.from(), uuid));
        pipeline.relayed().values().forEach(other -> requireOther(other.from(), uuid));
    }

    private void requireOther(ShardCut other, String uuid) {
        if (other.serverUuid().equals(uuid)) {
            throw new TributaryException(
                    ErrorCode.SHARD_SAME_SERVER,
                    "shard " + name + ": expected a server of its own, found server " + uuid + ", which is also shard "
                            + other.name());
        }
    }

    /** Waits a moment, and until none of the branches that are prepared now is left. */
    private void awaitDecided(JoiningShard shard, Waiting patience) {
        Set<String> before = shard.prepared();
        long since = pipeline.clock().nanoTime();
        patience.until(
                () -> pipeline.clock().nanoTime() - since > SETTLE_NANOS
                        && remaining(shard, before).isEmpty(),
                () -> undecided(remaining(shard, before)));
    }

    private static Set<String> remaining(JoiningShard shard, Set<String> before) {
        Set<String> remaining = new HashSet<>(before);
        if (!remaining.isEmpty()) {
            remaining.retainAll(shard.prepared());
        }
        return remaining;
    }

    private String undecided(Set<String> xids) {
        return "the branches that are prepared on shard " + name
                + " to be decided: ask their coordinator for the outcome, then run XA"
                + " COMMIT or XA ROLLBACK there for each of " + xids;
    }

    /** Distributed transactions wait from before this on until the shard's first round. */
    private ShardCut place(JoiningShard shard, GtidSet resume) {
        waiting.answer(pipeline.rounds().include(name, config), "shard " + name + " to take rounds");
        Set<String> before = shard.prepared();
        waiting.within(MOST_HELD_UP)
                .until(() -> remaining(shard, before).isEmpty(), () -> undecided(remaining(shard, before)));
        return new ShardCut(name, shard.uuid(), resume, shard.executed(), "", 0, 0, 0);
    }
}
