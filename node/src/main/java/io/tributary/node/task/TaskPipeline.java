package io.tributary.node.task;

import io.tributary.collector.Collector;
import io.tributary.collector.CollectorLinks;
import io.tributary.collector.CollectorResources;
import io.tributary.collector.CollectorStages;
import io.tributary.collector.OrderStart;
import io.tributary.collector.rows.CollectorStore;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Token;
import io.tributary.extractor.RoundAuthor;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.check.ActiveWriterCheck;
import io.tributary.extractor.rounds.HeartbeatSessions;
import io.tributary.extractor.rounds.NewestRound;
import io.tributary.extractor.rounds.RoundWriter;
import io.tributary.merger.MergeLinks;
import io.tributary.merger.MergeTree;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.ddl.TableRequests;
import io.tributary.node.process.BoundedWait;
import io.tributary.node.process.ThreadPlan;
import io.tributary.store.JournalMap;
import io.tributary.store.PayloadStore;
import io.tributary.transmitter.TokenSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages from extract to collect, running once from one cut until they are closed. A failure of any stage ends all of them and is reported once;
 * then another pipeline is built.
 */
public final class TaskPipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskPipeline.class);

    /** For how long the other shards may wait for the first transaction of a shard that joins. */
    private static final Duration MOST_HELD_UP = Duration.ofSeconds(5);

    private final PipelineEnvironment environment;
    private final Metrics metrics;
    private final Clock clock;
    private final PayloadStore store;
    private final TokenSources sources;
    private final RoundWriter rounds;
    private final MergeTree merge;
    private final CollectorStages collect;
    private final TableRequests tables;
    private final PipelineRunner runner;
    private final ActiveWriterCheck otherWriters;
    private final Map<String, Relayed> relayed = new ConcurrentSkipListMap<>();

    /**
     * A shard that a relay reads for this pipeline.
     *
     * @param index of the shard in its tokens
     * @param from start position
     */
    record Relayed(int index, Cut.ShardCut from) {}

    /** @param environment with metrics of this pipeline */
    private TaskPipeline(
            TaskSettings settings,
            PipelineEnvironment environment,
            PipelineStart resume,
            ChunkSink sink,
            PayloadStore store) {
        this.environment = environment;
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.store = store;
        this.runner = new PipelineRunner(settings::failureOf, sink.failure());
        Cut start = resume.cut();
        RoundRequest roundRequest = new RoundRequest();
        settings.order().requireFits(start);
        this.rounds = rounds(settings, start, roundRequest);
        Link<Token> merged = new Link<>("merged", settings.links().tokens(), clock);
        metrics.register(merged);
        this.sources = new TokenSources(
                settings, environment, new TokenSource.Start(start, hidden(resume.journal())), store, roundRequest);
        this.collect = collect(settings, resume, merged, sink.chunks(), roundRequest);
        this.tables = new TableRequests(
                tableRequests(settings, start),
                settings.tableNames(),
                environment.client(),
                collector()::tables,
                clock);
        collector().definitions(tables::definition);
        for (int index = 0; index < start.shards().size(); index++) {
            Cut.ShardCut from = start.shards().get(index);
            if (settings.relays().of(from.name()).isPresent()) {
                relayed.put(from.name(), new Relayed(index, from));
            }
        }
        this.otherWriters =
                new ActiveWriterCheck(environment.client(), environment.author(), CutEpoch.leader(start.epoch()) == 0);
        if (settings.order().mode() == OrderMode.XA) {
            rounds.passOver(this::setSilent);
        }
        this.merge = MergeTree.of(
                sources.plan(sink.threads()),
                merged,
                new MergeLinks(settings.links().fanIn(), settings.links().tokens(), clock),
                roundRequest,
                metrics);
    }

    private RoundWriter rounds(TaskSettings settings, Cut start, RoundRequest request) {
        return new RoundWriter(
                new HeartbeatSessions(settings.extract(), environment.client(), clock, metrics),
                settings.heartbeat(),
                NewestRound.of(start),
                request,
                RoundAuthor.here(environment.author(), settings.heartbeat().interval()));
    }

    /** Only for shards that this node reads: the merger always waits for a relay, which merges its own shards. */
    private void setSilent(String shard, boolean isSilent) {
        readers().all().stream()
                .filter(reader -> reader.name().equals(shard))
                .forEach(reader -> reader.link().silent(isSilent));
    }

    /** Tables of online schema change tools that are in the journal, by the name of the shard. */
    private static Map<String, List<HiddenTable>> hidden(JournalMap journal) {
        Map<String, byte[]> entries = new TreeMap<>();
        journal.forEach(HiddenForm.PREFIX, entries::put);
        return HiddenForm.byShard(entries);
    }

    private static List<TableRequests.Asked> tableRequests(TaskSettings settings, Cut start) {
        List<TableRequests.Asked> shards = new ArrayList<>();
        for (int index = 0; index < start.shards().size(); index++) {
            String name = start.shards().get(index).name();
            shards.add(new TableRequests.Asked(
                    index, name, settings.extract().shards().get(name)));
        }
        return shards;
    }

    private CollectorStages collect(
            TaskSettings settings,
            PipelineStart resume,
            Inlet<Token> merged,
            Outlet<Chunk> sink,
            RoundRequest roundRequest) {
        Cut start = resume.cut();
        CollectorStore kept = new CollectorStore(
                store.catalogue("shapes"),
                store::heldTokens,
                () -> store.appender("(rows that are not written as they were read)", Set.of()),
                sources.tables()::table,
                resume.journal());
        // the cut's epoch until the rounds are taken over
        LongSupplier epoch = () -> Math.max(start.epoch(), rounds.epoch());
        CollectorStages stages = CollectorStages.of(
                settings.collect(),
                settings.origin().origin(resume.found().version()),
                new OrderStart(settings.order().mode(), start),
                new CollectorLinks(merged, sink, roundRequest, epoch),
                new CollectorResources(kept, metrics, clock));
        stages.collector().schemaRules(settings.statements());
        return stages;
    }

    /**
     * Builds and starts.
     *
     * @param settings with exactly the shards of the cut
     */
    public static TaskPipeline start(
            TaskSettings settings, PipelineEnvironment environment, PipelineStart resume, ChunkSink sink) {
        PipelineEnvironment own = environment.withOwnMetrics();
        PayloadStore store = null;
        TaskPipeline pipeline = null;
        try {
            store = new PayloadStore(settings.store(), own.metrics());
            TaskPipeline made = new TaskPipeline(settings, own, resume, sink, store);
            made.plan(sink.threads());
            sink.threads().runOn(made.runner.stages());
            logStart(resume.cut());
            made.runner.stages().start();
            pipeline = made;
            return pipeline;
        } finally {
            if (pipeline == null) {
                if (store != null) {
                    store.close();
                }
                own.metrics().close();
            }
        }
    }

    private void plan(ThreadPlan threads) {
        threads.spread(merge.lower());
        List<Stage> others = new ArrayList<>(List.of(rounds, merge.root()));
        others.addAll(collect.all());
        threads.together(others);
        List<Stage> aside = new ArrayList<>();
        store.mover().ifPresent(aside::add);
        aside.add(tables);
        aside.add(new StoreWatch(
                store,
                () -> collect.publisher().isDrained() && !collect.collector().isHoldingShards(),
                collect.collector()::emitted,
                rounds::acknowledgedRound,
                clock));
        threads.aside(aside);
    }

    // ---- shards that join and leave

    /** The check that finds another node that writes rounds to a shard. */
    ActiveWriterCheck otherWriters() {
        return otherWriters;
    }

    Clock clock() {
        return clock;
    }

    /** The client for all shards. */
    MysqlClient client() {
        return environment.client();
    }

    RoundWriter rounds() {
        return rounds;
    }

    /** The collector, which holds the transactions that were read and not emitted; any thread, also after the pipeline has ended. */
    Collector collector() {
        return collect.collector();
    }

    public ShardReaders readers() {
        return sources.readers();
    }

    /** As {@link TokenSources#received}. */
    public Map<String, Long> received() {
        return sources.received();
    }

    /** The shards that relays read for this pipeline, by name. */
    Map<String, Relayed> relayed() {
        return Collections.unmodifiableMap(relayed);
    }

    /** Removes a shard that a relay reads and that has left the order: tokens of it are ignored until {@link #renew}. */
    void leaveRelayed(String shard) {
        tables.forget(shard);
        relayed.remove(shard);
    }

    /** Ends the pipeline, unless it has ended. The next one resumes after the last durable cut, with the current relays and live keys. */
    public void renew(String why) {
        runner.end(new TributaryException(ErrorCode.STREAM_RENEWED, why));
    }

    /** Whether it runs: it has not failed and was not closed; any thread. */
    public boolean isRunning() {
        return runner.isRunning();
    }

    /** Checks that the tables of a shard can be listed; fails with the reason if not. */
    CompletableFuture<Void> checkTables(String shard, ShardConfig config) {
        return tables.check(shard, config);
    }

    /** Passes the tables of a shard that has joined to the collector. */
    CompletableFuture<Void> listTables(int index, String shard, ShardConfig config) {
        return tables.request(new TableRequests.Asked(index, shard, config));
    }

    /** Starts to read one more shard, which the collector expects and to which rounds are written. */
    void join(int index, ShardConfig config, Cut.ShardCut from, BoundedWait waiting) {
        waiting.answer(collector().join(index, from), "the collector");
        ShardReader reader = readers().make(new ShardSource(index, config, from));
        runner.stages().startLater(reader.extractor());
        try {
            waiting.restarted(MOST_HELD_UP)
                    .until(() -> reader.link().depth() > 0, () -> "the first transaction of shard " + from.name());
        } finally {
            // also after a failure, so that the shard can be removed
            waiting.restarted(MOST_HELD_UP).answer(merge.add(reader.link()), "the merger");
        }
    }

    /** Stops reading a shard that has left the collector. */
    void leave(ShardReader shard, BoundedWait waiting) {
        tables.forget(shard.name());
        BoundedWait last = waiting.restarted(MOST_HELD_UP);
        List<Inlet<Token>> unread = last.answer(merge.remove(shard.link()), "the merger");
        last.answer(rounds.exclude(shard.name()), "the writer of rounds");
        runner.stages().end(shard.extractor());
        unread.forEach(link -> link.drain(Token::release));
        readers().forget(shard);
    }

    private static void logStart(Cut start) {
        LOG.info(
                "pipeline starts: cut={} transactions={} shards={}",
                start.number(),
                start.transactions(),
                start.shards().size());
        for (Cut.ShardCut shard : start.shards()) {
            LOG.info(
                    "shard resumes: shard={} after=\"{}\" position={}",
                    shard.name(),
                    shard.resume().isEmpty() ? "none" : shard.resume().line(),
                    shard.file().isEmpty() ? "none" : shard.file() + ":" + shard.offset());
        }
    }

    /** Ends all stages and waits for them; then releases the objects that they shared. */
    @Override
    public void close() {
        runner.close();
        readers().close();
        store.close();
        metrics.close();
    }
}
