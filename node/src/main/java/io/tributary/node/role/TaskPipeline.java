package io.tributary.node.role;

import io.tributary.collector.Collector;
import io.tributary.collector.CollectorStages;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.RoundWriter;
import io.tributary.merger.MergeTree;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.store.PayloadStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything from extract to collect, running from one cut until it is closed. A failure of any stage ends all of them and is
 * told once; then another pipeline is built, this one never runs again.
 */
final class TaskPipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskPipeline.class);

    private final Metrics metrics;
    private final PayloadStore store;
    private final StageRunner runner;
    private final Collector collector;

    /**
     * What a pipeline needs beside its configuration.
     *
     * @param reader the cluster's UUID, for our own in the shards' eyes
     * @param client for all shards
     * @param metrics the node's; a pipeline registers in a child of them
     */
    record Surroundings(UUID reader, MysqlClient client, Metrics metrics, Clock clock) {}

    private TaskPipeline(Metrics metrics, PayloadStore store, StageRunner runner, Collector collector) {
        this.metrics = metrics;
        this.store = store;
        this.runner = runner;
        this.collector = collector;
    }

    /**
     * Builds and starts.
     *
     * @param found where to go on; has all shards
     * @param sink takes the chunks, numbered from 1
     * @param threads has the stages behind the sink, which run and are closed with the others
     * @param failure told at most once
     */
    static TaskPipeline start(
            TaskSettings settings,
            Surroundings around,
            StartCut.Found found,
            Outlet<Chunk> sink,
            Threads threads,
            FailureSink failure) {
        Metrics metrics = around.metrics().child();
        Cut start = found.cut();
        PayloadStore store = null;
        TaskPipeline pipeline = null;
        try {
            store = new PayloadStore(settings.store(), metrics);
            StageRunner runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
            Collector collector = plan(threads, settings, around, found, sink, store, metrics);
            threads.runOn(runner);
            pipeline = new TaskPipeline(metrics, store, runner, collector);
            logStart(start);
            runner.start();
            return pipeline;
        } finally {
            if (pipeline == null) {
                if (store != null) {
                    store.close();
                }
                metrics.close();
            }
        }
    }

    private static Collector plan(
            Threads threads,
            TaskSettings settings,
            Surroundings around,
            StartCut.Found found,
            Outlet<Chunk> sink,
            PayloadStore store,
            Metrics metrics) {
        Cut start = found.cut();
        CollectorStages.Origin origin = settings.origin().origin(found.version());
        Clock clock = around.clock();
        RoundDemand demand = new RoundDemand();
        settings.order().requireFits(start);
        ExtractOrder order = settings.extractOrder(start);
        long round =
                start.shards().stream().mapToLong(Cut.ShardCut::round).max().orElse(0);
        RoundWriter rounds = new RoundWriter(
                settings.extract(),
                settings.heartbeat(),
                start.epoch(),
                round,
                demand,
                order::newestTso,
                around.client(),
                clock,
                metrics);
        Link<Token> merged = new Link<>("merged", settings.links().tokens(), clock);
        metrics.register(merged);
        CollectorStages collect = CollectorStages.of(
                settings.collect(),
                settings.order().mode(),
                origin,
                start,
                merged,
                sink,
                demand,
                metrics,
                clock,
                rounds::epoch,
                store.catalogue("shapes"));
        TokenSources sources = new TokenSources(settings, around, start, order, store, demand, metrics);
        MergeTree merge = MergeTree.of(
                "merge",
                sources.plan(threads),
                merged,
                settings.links().fanIn(),
                settings.links().tokens(),
                demand,
                metrics,
                clock);
        threads.spread(merge.lower());
        List<Stage> others = new ArrayList<>(List.of(rounds, merge.root()));
        others.addAll(collect.all());
        threads.together(others);
        List<Stage> aside = new ArrayList<>();
        store.mover().ifPresent(aside::add);
        aside.add(new StoreWatch(
                store, collect.publisher()::isDrained, collect.collector()::emitted, rounds::acknowledgedRound, clock));
        threads.aside(aside);
        return collect.collector();
    }

    private static void logStart(Cut start) {
        LOG.info(
                "goes on behind cut {} with {} transactions, {} shards",
                start.number(),
                start.transactions(),
                start.shards().size());
        for (Cut.ShardCut shard : start.shards()) {
            LOG.info(
                    "shard {}: resumes behind {}{}",
                    shard.name(),
                    shard.resume().isEmpty() ? "the very first" : shard.resume().line(),
                    shard.file().isEmpty() ? "" : " (" + shard.file() + ":" + shard.offset() + ")");
        }
    }

    /** What it has read and not put out; any thread, also once it has ended. */
    Collector collector() {
        return collector;
    }

    /** Ends all stages and waits for them; then gives back what they shared. */
    @Override
    public void close() {
        runner.close();
        store.close();
        metrics.close();
    }
}
