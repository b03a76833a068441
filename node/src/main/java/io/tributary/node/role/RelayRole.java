package io.tributary.node.role;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.RelayStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.node.task.PipelineEnvironment;
import io.tributary.node.task.RelayPipeline;
import io.tributary.node.task.RelaysConfig;
import io.tributary.node.task.ShardClient;
import io.tributary.node.task.TaskSettings;
import io.tributary.node.task.TokenSettings;
import io.tributary.node.task.TokenSink;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.TokenSource;
import io.tributary.transmitter.TransmitServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Role of a relay: reads some of the shards, merges their tokens for the Task above it, and stores nothing. It writes nothing to the shards: the
 * Task above writes the rounds. It builds one pipeline for each stream that the Task opens. When a pipeline fails, the Task is notified and opens
 * another stream, unless an operator has to act: then this node ends.
 */
final class RelayRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(RelayRole.class);

    private final TaskSettings settings;
    private final Supplier<Config> file;
    private final String version;
    private final Metrics metrics;
    private final Clock clock;
    private final Supervisor supervisor;
    private final ShardClient shards = new ShardClient();
    private final Optional<ShardClaim> claims;
    private volatile Set<String> known;
    private final ProvidedStream stream = new ProvidedStream("Task");
    private volatile RelayPipeline newest;
    private volatile Runnable restartStream = () -> {};
    private volatile Map<String, ShardConfig> used = Map.of();

    /** @param claims publishes to the cluster which shards it reads */
    RelayRole(NodeEnvironment environment, Optional<ShardClaim> claims) {
        this.claims = claims;
        this.settings = TaskSettings.of(environment.config().started());
        this.file = environment.config().file();
        this.version = environment.version();
        this.known = settings.extract().shards().keySet();
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.supervisor = new Supervisor(environment.stop(), new Backoff(), () -> 0);
    }

    @Override
    public void run() throws InterruptedException {
        supervisor.run(this::start);
    }

    private AutoCloseable start(FailureSink failure) {
        TransmitServer server =
                new TransmitServer(settings.transmit(), settings.identity(), new Offer(failure), metrics, clock);
        LOG.info(
                "relay opened: shards=\"{}\" stream=\"{}\" listen={}",
                settings.extract().shards().keySet(),
                settings.identity(),
                settings.transmit().listen());
        return server;
    }

    /** The token source for the Task above. */
    private final class Offer implements TokenSource {
        private final FailureSink node;

        Offer(FailureSink node) {
            this.node = node;
        }

        @Override
        public Set<String> shards() {
            known = currentSettings().extract().shards().keySet();
            return known;
        }

        /** Settings with the shards' current addresses, read again for each stream; the Task above chooses the shards. */
        private TaskSettings currentSettings() {
            Config config = file.get();
            used = config.get(ExtractorConfig.class).shards();
            return settings.with(settings.extract().withShards(used), config.get(RelaysConfig.class));
        }

        @Override
        public String settings() {
            return TokenSettings.of(settings.extract(), settings.order());
        }

        @Override
        public StreamSource.Running open(
                Start start, RoundRequest roundRequest, Outlet<Token> sink, Stage sender, StreamSource.Failure task) {
            PipelineEnvironment environment =
                    new PipelineEnvironment(settings.reader(), settings.reader(), shards.client(), metrics, clock);
            Cut from = start.cut();
            FailureSink failure = cause -> {
                task.failed(cause);
                stream.failed(cause, node);
            };
            try {
                RelayPipeline pipeline = RelayPipeline.start(
                        currentSettings(), environment, start, roundRequest, new TokenSink(sink, sender, failure));
                newest = pipeline;
                restartStream = () -> failure.failed(
                        new TributaryException(ErrorCode.STREAM_RENEWED, "the logins of shards may have changed"));
                claims.ifPresent(claim -> claim.reads(
                        from.shards().stream().map(Cut.ShardCut::name).toList(), CutEpoch.leader(from.epoch())));
                stream.opens(from.number());
                return () -> {
                    restartStream = () -> {};
                    pipeline.close();
                    claims.ifPresent(ShardClaim::ended);
                    stream.ended();
                };
            } catch (TributaryException e) {
                TributaryException held = newest == null ? e : Failures.held(e);
                stream.failed(held, node);
                throw held;
            }
        }
    }

    /** With order.mode=tso branches are held by the node that reads their shard; all other transactions are known to the Task above. */
    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        RelayPipeline now = newest;
        if (settings.order().mode() == OrderMode.XA || now == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    now == null
                            ? "nothing was read yet: no Task has opened a stream"
                            : "a relay does not order transactions: ask the Task above it"));
        }
        OrderSnapshot nothing = new OrderSnapshot(0, List.of(), settings.relayedHints());
        return settings.undecided(clock).of(now.readers().all(), CompletableFuture.completedFuture(nothing));
    }

    /** Ends the stream if live keys of its shards changed: the Task above opens another one, for which the file is read again. */
    @Override
    public void update(Config newer) {
        Map<String, ShardConfig> newest = newer.get(ExtractorConfig.class).shards();
        boolean isOther = used.entrySet().stream()
                .anyMatch(shard -> newest.containsKey(shard.getKey())
                        && !shard.getValue().hasLiveKeysOf(newest.get(shard.getKey())));
        if (isOther) {
            restartStream.run();
        }
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none("a relay does not order transactions: ask the Task above it");
    }

    @Override
    public NodeStatus status() {
        RelayPipeline now = newest;
        List<StatusPart> parts = List.of(new RelayStatus(
                settings.identity(),
                settings.transmit().listen(),
                stream.state(),
                now != null && now.isOpen() ? now.readers().held() : List.of()));
        return new NodeStatus(version, "relay", supervisor.state(), supervisor.isRunning(), List.copyOf(known), parts);
    }

    @Override
    public void close() {
        shards.close();
    }
}
