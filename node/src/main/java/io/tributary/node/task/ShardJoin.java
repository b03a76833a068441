package io.tributary.node.task;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.rounds.JoiningShardQuery;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.process.BoundedWait;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds one shard to a running pipeline (docs/ordering.md, "Shards come and go").
 *
 * <pre>
 *   resume:    all GTIDs that the shard has executed; branches that are prepared by then get decided, the other shards continue
 *   expect:    from now on no distributed transaction is emitted before this shard's rounds have arrived too
 *   take over: no other writer of rounds can write to the shard any more; the next round is written to it too
 *   frontier:  all GTIDs that the shard has executed, once the branches prepared before are decided; later transactions are emitted
 *   join:      it is read from resume on; with its first round at the latest it is in every cut, and the others continue
 * </pre>
 */
final class ShardJoin {
    private static final Logger LOG = LoggerFactory.getLogger(ShardJoin.class);

    /** For how long undecided branches of the shard may delay distributed transactions. */
    private static final Duration MOST_HELD_UP = Duration.ofSeconds(10);

    /** A PREPARE in the shard's binlog appears among its prepared branches a little later, not at once. */
    private static final long VISIBLE_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final ShardConfig config;
    private final MysqlClient client;
    private final TaskPipeline pipeline;
    private final BoundedWait waiting;
    private final Consumer<String> progress;

    /**
     * @param pipeline that does not have the shard yet
     * @param progress receives a description of the current step
     */
    ShardJoin(String name, ShardConfig config, TaskPipeline pipeline, BoundedWait waiting, Consumer<String> progress) {
        this.name = name;
        this.config = config;
        this.client = pipeline.client();
        this.pipeline = pipeline;
        this.waiting = waiting;
        this.progress = progress;
    }

    /**
     * Blocks until the shard is read and no other shard waits for it.
     *
     * @return the number of the first cut that has it
     * @throws TributaryException why the shard was not added; nothing has changed then
     */
    long run() {
        requireFit();
        try (JoiningShardQuery shard = new JoiningShardQuery(name, config, client)) {
            GtidSet resume = shard.executed();
            progress.accept("shard " + name + " can be read; waits until its prepared branches are decided");
            awaitDecided(shard, waiting);
            int index = waiting.answer(pipeline.collector().expect(), "the collector");
            ShardCut from;
            try {
                from = place(shard, resume);
            } catch (RuntimeException e) {
                // no shard waits for it any more
                var unused = List.of(
                        pipeline.rounds().exclude(name), pipeline.collector().cancelJoin(index));
                throw e;
            }
            try {
                return join(index, from);
            } catch (TributaryException e) {
                throw giveUpJoin(index, e);
            }
        }
    }

    private long join(int index, ShardCut from) {
        pipeline.join(index, config, from, waiting);
        LOG.info("shard joins: shard={} after=\"{}\"", name, from.frontier().line());
        waiting.answer(pipeline.listTables(index, name, config), "the names of the tables of shard " + name);
        progress.accept("shard " + name + " is read after " + from.frontier().line());
        long[] cut = {0};
        waiting.until(
                () -> {
                    cut[0] = waiting.answer(pipeline.collector().joined(index), "the collector");
                    return cut[0] != 0;
                },
                () -> "the first round of shard " + name);
        return cut[0];
    }

    /** After a timeout: removes the shard again if no cut has it yet, and returns the failure to report. */
    private TributaryException giveUpJoin(int index, TributaryException why) {
        BoundedWait last = waiting.restarted(MOST_HELD_UP);
        if (!pipeline.isRunning()) {
            return why;
        }
        if (!last.answer(pipeline.collector().cancelJoin(index), "the collector")) {
            return BoundedWait.failed(why.getMessage() + " (the shard has joined meanwhile: do not add it again)");
        }
        pipeline.readers().all().stream()
                .filter(reader -> reader.index() == index)
                .forEach(reader -> pipeline.leave(reader, last));
        return why;
    }

    private void requireFit() {
        progress.accept("checks shard " + name);
        if (config.beginsAtGtids()) {
            throw BoundedWait.failed("expected no GTIDs in shard." + name
                    + ".start, found some: a shard that is added to a running node is read from that moment on");
        }
        if (config.servers()
                .rounds()
                .isPresent()) { // a branch prepared on the primary may arrive later on a lagging replica
            throw BoundedWait.failed(
                    "expected no shard." + name
                            + ".rounds, found it: a shard that is added to a running node is read where its rounds are written");
        }
        ShardCheck.Report report = new ShardCheck(client).check(Map.of(name, config), Map.of());
        report.without(code -> code == ErrorCode.SHARD_POSITION_PURGED).requireFit();
        waiting.answer(pipeline.checkTables(name, config), "the names of the tables of shard " + name);
        pipeline.otherWriters().requireNone(Map.of(name, config)); // rounds of this node would end another running node
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

    /** Waits at least 1 s, and until all branches that are prepared now are decided. */
    private void awaitDecided(JoiningShardQuery shard, BoundedWait timeout) {
        Set<String> before = shard.prepared();
        long since = pipeline.clock().nanoTime();
        timeout.until(
                () -> pipeline.clock().nanoTime() - since > VISIBLE_NANOS
                        && remaining(shard, before).isEmpty(),
                () -> undecided(remaining(shard, before)));
    }

    private static Set<String> remaining(JoiningShardQuery shard, Set<String> before) {
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

    /** Determines the frontier. Distributed transactions already wait for the shard's first round. */
    private ShardCut place(JoiningShardQuery shard, GtidSet resume) {
        waiting.answer(pipeline.rounds().include(name, config), "shard " + name + " to take rounds");
        Set<String> before = shard.prepared();
        waiting.within(MOST_HELD_UP)
                .until(() -> remaining(shard, before).isEmpty(), () -> undecided(remaining(shard, before)));
        return ShardCut.unread(name, shard.uuid(), resume, shard.executed());
    }
}
