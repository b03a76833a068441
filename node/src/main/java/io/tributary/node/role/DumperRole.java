package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.binlog.Recovered;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.node.admin.FactTables;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.dumper.ChunkLink;
import io.tributary.node.dumper.StandaloneState;
import io.tributary.node.dumper.WritePipeline;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.process.Supervisor;
import io.tributary.node.replica.VerifySchedule;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.ShardStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.node.status.UpstreamStatus;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import io.tributary.transmitter.RequestedStream;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.StreamStart;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.transmitter.TransmitReceiver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Role of a Dumper without a coordinator: receives chunks from a Task, and writes, serves and backs up the files. */
final class DumperRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(DumperRole.class);

    private final TransmitConfig transmit;
    private final PipelineConfig pipeline;
    private final StreamIdentity identity;
    private final String version;
    private final Metrics metrics;
    private final Clock clock;
    private final Supervisor supervisor;
    private final StandaloneState service;
    private final VerifySchedule comparisons;

    DumperRole(NodeEnvironment environment) {
        Config config = environment.config().started();
        this.transmit = config.get(TransmitConfig.class);
        this.pipeline = config.get(PipelineConfig.class);
        this.identity = new StreamIdentity(config.get(ClusterConfig.class).id(), transmit.stream());
        this.version = environment.version();
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.service =
                new StandaloneState(config, new FactTables(this, metrics), metrics, clock, environment.startup());
        this.supervisor = new Supervisor(environment.stop(), new Backoff(), service::durableCut);
        this.comparisons = new VerifySchedule(environment.config(), service::isServing, metrics, clock);
    }

    @Override
    public void run() throws InterruptedException {
        comparisons.begin();
        supervisor.run(this::start, service::poll);
    }

    private AutoCloseable start(FailureSink failure) {
        Recovered recovered = service.recover(() -> null);
        LOG.info("stream from task starts: stream=\"{}\" task={}", identity, transmit.task());
        Metrics linkMetrics = metrics.child();
        Link<Chunk> chunks = ChunkLink.of(transmit.limits().credit().bytes(), linkMetrics, clock);
        WritePipeline write = service.write(recovered, chunks, Optional.empty());
        service.onFailure(failure);
        StageRunner runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        write.planned(pipeline.plan())
                .alone(new TransmitReceiver(
                        transmit,
                        new RequestedStream(
                                identity,
                                0,
                                new StreamStart(
                                        recovered.resume(),
                                        () -> service.journal().snapshot())),
                        chunks,
                        service::durableCut))
                .runOn(runner);
        runner.start();
        return () -> {
            runner.close();
            write.close();
            linkMetrics.close();
        };
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return CompletableFuture.failedFuture(
                new IllegalStateException("a Dumper does not order transactions: ask the Task at " + transmit.task()));
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none("a Dumper does not order transactions: ask the Task at " + transmit.task());
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
        comparisons.update(newer);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return service.backup();
    }

    @Override
    public NodeStatus status() {
        List<StatusPart> parts = new ArrayList<>(service.parts());
        List<String> shards = parts.stream()
                .flatMap(part -> part.positions().stream())
                .map(ShardStatus::name)
                .toList();
        parts.add(new UpstreamStatus(transmit.task()));
        comparisons.status().ifPresent(parts::add);
        return new NodeStatus(version, "dumper", supervisor.state(), supervisor.isRunning(), shards, parts);
    }

    @Override
    public void close() {
        comparisons.close();
        service.close();
    }
}
