package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.binlog.Recovered;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.ActiveWriterCheck;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.node.admin.FactTables;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.dumper.ChunkLink;
import io.tributary.node.dumper.StandaloneState;
import io.tributary.node.dumper.WritePipeline;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.Supervisor;
import io.tributary.node.replica.VerifySchedule;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.node.task.ChunkSink;
import io.tributary.node.task.CurrentPipeline;
import io.tributary.node.task.PipelineEnvironment;
import io.tributary.node.task.PipelineStart;
import io.tributary.node.task.ShardClient;
import io.tributary.node.task.ShardCommands;
import io.tributary.node.task.StartCut;
import io.tributary.node.task.TaskPipeline;
import io.tributary.node.task.TaskSettings;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import io.tributary.store.JournalMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Role of a standalone node: all six stages in one process, a task pipeline and the writer connected by a link. */
final class StandaloneRole implements Role {
    private final TaskSettings settings;
    private final String version;
    private final Metrics metrics;
    private final Clock clock;
    private final StopSignal stop;
    private final Supervisor supervisor;
    private final StandaloneState service;
    private final ShardClient shards = new ShardClient();
    private final CurrentPipeline currentPipeline;
    private final ShardCommands commands;
    private final VerifySchedule comparisons;
    private final boolean takesOver;
    private boolean isAlone;
    private boolean hasRun; // whether a pipeline has run since this process started
    private final JournalMap journal; // of the Task part; reused by one pipeline after another

    StandaloneRole(NodeEnvironment environment) {
        Config config = environment.config().started();
        this.settings = TaskSettings.of(config);
        this.currentPipeline = new CurrentPipeline(settings);
        this.takesOver = config.get(TakeoverConfig.class).takesOver();
        this.version = environment.version();
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.stop = environment.stop();
        this.service =
                new StandaloneState(config, new FactTables(this, metrics), metrics, clock, environment.startup());
        this.supervisor = new Supervisor(stop, new Backoff(), service::durableCut, false);
        this.journal = settings.journal();
        this.commands = new ShardCommands(environment.config(), stop, clock, shards);
        this.comparisons = new VerifySchedule(environment.config(), service::isServing, metrics, clock);
    }

    @Override
    public void run() throws InterruptedException {
        comparisons.begin();
        supervisor.run(this::start, this::poll);
    }

    private void poll() {
        service.poll();
        commands.poll();
    }

    private AutoCloseable start(FailureSink failure) {
        try {
            return build(failure);
        } catch (TributaryException e) {
            throw hasRun ? Failures.held(e) : e;
        }
    }

    private AutoCloseable build(FailureSink failure) {
        Recovered recovered = service.recover(this::shardsVersion);
        ExtractorConfig extract = StartCut.shardsOf(commands.known(), recovered.resume());
        StartCut.Found found = stop.during(shards::close, () -> {
            requireAlone(extract);
            return StartCut.find(extract, settings.origin(), recovered.resume(), shards.client())
                    .under(recovered.cut().epoch());
        });
        Metrics linkMetrics = metrics.child();
        Link<Chunk> chunks = ChunkLink.of(settings.links().chunks().bytes(), linkMetrics, clock);
        WritePipeline write = service.write(recovered, chunks, Optional.of(found.version()));
        PipelineEnvironment pipelineEnvironment =
                new PipelineEnvironment(service.uuid(), service.copy(), shards.client(), metrics, clock);
        service.onFailure(failure);
        TaskSettings now = settings.with(found.extract(), commands.relays()).withCollector(currentPipeline.collect());
        journal.takeOver(service.journal().snapshot());
        TaskPipeline task = TaskPipeline.start(
                now,
                pipelineEnvironment,
                new PipelineStart(found, journal),
                new ChunkSink(chunks, write.planned(settings.links().plan()), failure));
        currentPipeline.replace(task, now);
        commands.pipelineStarted(task, service::durableCut);
        hasRun = true;
        return () -> {
            task.close();
            write.close();
            linkMetrics.close();
        };
    }

    /** For the first pipeline only: later the rounds themselves detect another writer. */
    private void requireAlone(ExtractorConfig extract) {
        if (!isAlone && !takesOver) {
            new ActiveWriterCheck(shards.client(), service.copy(), true).requireNone(extract.shards());
        }
        isAlone = true;
    }

    /** The version for the first file: checks the shards before there is anything to serve. */
    private String shardsVersion() {
        ShardCheck.Report report = stop.during(
                shards::close,
                () -> new ShardCheck(shards.client()).check(settings.extract().shards(), Map.of()));
        report.requireFit();
        return settings.origin().version(report.facts().values());
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return currentPipeline.transactions();
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return currentPipeline.schemaChanges();
    }

    @Override
    public ShardRequests shardRequests() {
        return commands;
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return service.find(goal);
    }

    @Override
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return service.events(request);
    }

    @Override
    public void update(Config newer) {
        service.update(newer);
        currentPipeline.update(newer);
        commands.update(newer);
        comparisons.update(newer);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return service.backup();
    }

    @Override
    public NodeStatus status() {
        List<StatusPart> parts = new ArrayList<>(service.parts());
        currentPipeline.status().ifPresent(parts::add);
        comparisons.status().ifPresent(parts::add);
        return new NodeStatus(
                version, "standalone", supervisor.state(), supervisor.isRunning(), commands.names(), parts);
    }

    @Override
    public void close() {
        comparisons.close();
        shards.close();
        journal.close();
        service.close();
    }
}
