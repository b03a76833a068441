package io.tributary.node.role;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.ActiveWriterCheck;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.node.status.TaskStatus;
import io.tributary.node.task.ChunkSink;
import io.tributary.node.task.CurrentPipeline;
import io.tributary.node.task.PipelineEnvironment;
import io.tributary.node.task.PipelineStart;
import io.tributary.node.task.RelayConfig;
import io.tributary.node.task.RelayMembers;
import io.tributary.node.task.RelayRefusal;
import io.tributary.node.task.RelaysConfig;
import io.tributary.node.task.ShardClient;
import io.tributary.node.task.ShardCommands;
import io.tributary.node.task.ShardReader;
import io.tributary.node.task.StartCut;
import io.tributary.node.task.TaskPipeline;
import io.tributary.node.task.TaskSettings;
import io.tributary.store.JournalMap;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.TransmitServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Role of a Task: reads shards and orders transactions for a Dumper, and stores nothing. It builds one pipeline for each stream that a Dumper opens.
 * When a pipeline fails, the Dumper is notified and opens another stream, unless an operator has to act: then this node ends.
 */
final class TaskRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRole.class);

    private final TaskSettings settings;
    private final boolean takesOver;
    private final boolean isOfCluster;
    private final String version;
    private final Metrics metrics;
    private final Clock clock;
    private final StopSignal stop;
    private final Supervisor supervisor;
    private final ShardClient shards = new ShardClient();
    private final CurrentPipeline currentPipeline;
    private final ShardCommands commands;
    private final StreamWatch watch;
    private final RelayMembers relays;
    private volatile TaskPipeline newest;
    private final ProvidedStream stream = new ProvidedStream("Dumper");

    /**
     * @param watch notified of the streams
     * @param members of its cluster, including relays
     */
    TaskRole(NodeEnvironment environment, StreamWatch watch, Members members) {
        Config config = environment.config().started();
        CoordinationConfig coordination = config.get(CoordinationConfig.class);
        this.watch = watch;
        this.settings = TaskSettings.of(config);
        this.currentPipeline = new CurrentPipeline(settings);
        this.takesOver = config.get(TakeoverConfig.class).takesOver();
        this.isOfCluster = coordination.zookeeper().servers().isPresent();
        this.version = environment.version();
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.stop = environment.stop();
        this.supervisor = new Supervisor(stop, new Backoff(), () -> 0);
        this.relays = new RelayMembers(members, this::refusal, coordination.lease(), clock::nanoTime);
        this.commands = new ShardCommands(environment.config(), stop, clock, shards);
    }

    @Override
    public void run() throws InterruptedException {
        supervisor.run(this::start, this::poll);
    }

    /** Executes requests of operators, and moves shards to new relays. Called repeatedly by the node's thread. */
    void poll() {
        commands.poll();
        moveToRelays();
    }

    /** Restarts the pipeline if a new relay accepts a shard that this node reads itself, or if a relay is lost. */
    private void moveToRelays() {
        TaskPipeline now = newest;
        if (now == null || !now.isRunning()) {
            return;
        }
        List<String> readHere =
                now.readers().all().stream().map(ShardReader::name).toList();
        relays.reasonOfLoss(commands.relays(), now.received())
                .or(() -> relays.reasonToMove(commands.relays(), commands.names(), readHere))
                .ifPresent(now::renew);
    }

    /** Asks a relay beside the running stream, so that a relay with other settings is found before it ends a stream. */
    private Optional<String> refusal(String relay, HostPort address, Collection<String> asked) {
        RelaysConfig one = new RelaysConfig(Map.of(relay, new RelayConfig(address, List.copyOf(asked))));
        return RelayRefusal.of(
                relay, address, () -> settings.with(settings.extract(), one).probe(relay, asked));
    }

    /** Accepts streams from now on. */
    AutoCloseable start(FailureSink failure) {
        requireFit();
        TransmitServer server =
                new TransmitServer(settings.transmit(), settings.identity(), new Offered(failure), metrics, clock);
        LOG.info(
                "task opened: stream=\"{}\" listen={}",
                settings.identity(),
                settings.transmit().listen());
        return server;
    }

    /** The stream source for Dumpers. */
    private final class Offered implements StreamSource {
        private final FailureSink node;

        /** @param node notified of a failure that an operator must fix */
        Offered(FailureSink node) {
            this.node = node;
        }

        @Override
        public Running open(Optional<Cut> asked, JournalMap journal, Outlet<Chunk> sink, Stage sender, Dumper dumper) {
            PipelineEnvironment environment =
                    new PipelineEnvironment(settings.reader(), settings.reader(), shards.client(), metrics, clock);
            long epoch = asked.map(Cut::epoch).orElse(0L);
            Optional<Cut> resume = asked.filter(cut -> !cut.shards().isEmpty());
            try {
                watch.opens(CutEpoch.leader(epoch));
                ExtractorConfig extract = StartCut.shardsOf(commands.known(), resume);
                if (!takesOver) {
                    new ActiveWriterCheck(shards.client(), settings.reader(), CutEpoch.leader(epoch) == 0)
                            .requireNone(extract.shards());
                }
                StartCut.Found found = StartCut.find(extract, settings.origin(), resume, shards.client())
                        .under(epoch);
                TaskSettings now = settingsOf(found);
                FailureSink failure = cause -> {
                    dumper.failed(cause);
                    stream.failed(cause, node);
                };
                TaskPipeline pipeline = TaskPipeline.start(
                        now,
                        environment,
                        new PipelineStart(found, journal),
                        new ChunkSink(sink, settings.links().plan().alone(sender), failure));
                newest = pipeline;
                currentPipeline.replace(pipeline, now);
                commands.pipelineStarted(pipeline, dumper::durableCut);
                stream.opens(found.cut().number());
                return () -> {
                    pipeline.close();
                    watch.ended();
                    stream.ended();
                };
            } catch (TributaryException e) {
                TributaryException held = resume.isPresent() ? Failures.held(e) : e;
                stream.failed(held, node);
                throw held;
            }
        }

        /** The settings of a pipeline from there, with the relays that read its shards now. */
        private TaskSettings settingsOf(StartCut.Found found) {
            RelaysConfig configured = commands.relays();
            List<String> names =
                    found.cut().shards().stream().map(Cut.ShardCut::name).toList();
            return settings.with(found.extract(), configured, relays.choose(configured, names))
                    .withCollector(currentPipeline.collect());
        }

        @Override
        public long newestEpoch() {
            return watch.newestLeader();
        }

        @Override
        public JournalMap journal() {
            return settings.journal();
        }
    }

    /**
     * Checks the shards at the start. Their start positions are known only when a Dumper opens a stream. Held shards are accepted on a node of a
     * cluster, which may take over a stream, and on a node that had a stream before.
     */
    private void requireFit() {
        ShardCheck.Report report = stop.during(
                shards::close,
                () -> new ShardCheck(shards.client()).check(settings.extract().shards(), Map.of()));
        boolean mayBeHeld = isOfCluster || newest != null;
        report.without(code -> code == ErrorCode.SHARD_POSITION_PURGED || mayBeHeld && code.holdsShard())
                .requireFit();
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
    public void update(Config newer) {
        currentPipeline.update(newer);
        commands.update(newer);
    }

    @Override
    public ShardRequests shardRequests() {
        return commands;
    }

    @Override
    public NodeStatus status() {
        List<StatusPart> parts = new ArrayList<>();
        parts.add(new TaskStatus(settings.identity(), settings.transmit().listen(), stream.state()));
        currentPipeline.status().ifPresent(parts::add);
        return new NodeStatus(version, "task", supervisor.state(), supervisor.isRunning(), commands.names(), parts);
    }

    @Override
    public void close() {
        shards.close();
    }
}
