package io.tributary.node.sink;

import io.tributary.backup.store.S3Config;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.reader.NodeReader;
import io.tributary.node.reader.ReadNodes;
import io.tributary.node.reader.ReaderPlace;
import io.tributary.node.reader.ReaderRuns;
import io.tributary.node.reader.ReaderTotals;
import io.tributary.node.reader.ReaderWork;
import io.tributary.node.status.SinkStatus;
import io.tributary.node.task.ShardClient;
import io.tributary.replay.session.Peer;
import io.tributary.sink.ClaimStore;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.run.Sink;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The runs of a sink, one after another, until the node is stopped. Each resumes from the progress in Kafka. */
public final class SinkRuns implements ReaderWork, NodeReader {
    private static final ReaderRuns.ReaderName NAME = new ReaderRuns.ReaderName("sink", ErrorCode.SINK_HELD);

    private final ShardClient client = new ShardClient();
    private final ReaderTotals<SinkFigures> totals = new ReaderTotals<>();
    private final Clock clock;
    private final Optional<ClaimObjects> claims;
    private final SinkPlans plans;
    private final ReaderRuns runs;
    private final Metrics metrics;
    private volatile SinkConfig keys;
    private volatile SinkPlan plan;
    private volatile Sink sink;

    /**
     * @param environment whose configuration has the keys of {@link SinkConfig}
     * @throws io.tributary.common.error.TributaryException CONFIG_INVALID without the libraries of the sink, TLS_UNUSABLE, DIRECTORY_UNUSABLE
     */
    public SinkRuns(NodeEnvironment environment) {
        SinkLibraries.require();
        this.keys = environment.config().get(SinkConfig.class);
        this.clock = environment.clock();
        this.claims = ClaimObjects.open(keys.delivery(), environment.config().get(S3Config.class));
        this.plans = new SinkPlans(
                SinkFormats.of(keys), claims.<ClaimStore>map(store -> store).orElse(ClaimStore.NONE));
        this.metrics = environment.metrics().child();
        replaceSink();
        this.runs = new ReaderRuns(NAME, this, client.client(), environment);
        register();
    }

    private void replaceSink() {
        plan = plans.of(keys);
        Sink made = new Sink(client.client(), plan, clock);
        totals.add(made.figures());
        sink = made;
    }

    private void register() {
        count(Metric.SINK_TRANSACTIONS, SinkFigures::transactions);
        count(Metric.SINK_ROWS, SinkFigures::rows);
        count(Metric.SINK_MESSAGES, SinkFigures::messages);
        count(Metric.SINK_BYTES, SinkFigures::bytes);
        count(Metric.SINK_COMMITS, SinkFigures::commits);
        count(Metric.SINK_ABORTS, SinkFigures::aborts);
        count(Metric.SINK_STATEMENTS, SinkFigures::statements);
        count(Metric.SINK_LARGE, SinkFigures::large);
        count(Metric.SINK_BLOCKED, SinkFigures::memorySeconds, "reason", "memory");
        count(Metric.SINK_BLOCKED, SinkFigures::brokerSeconds, "reason", "broker");
        metrics.register(Metric.SINK_MEMORY, this::memory);
        metrics.register(Metric.SINK_LAG, runs.lag()::seconds);
        metrics.register(Metric.SINK_LAG_TRANSACTIONS, runs.lag()::transactions);
    }

    private void count(Metric metric, ToDoubleFunction<SinkFigures> figure, String... tags) {
        metrics.register(metric, () -> totals.sum(figure), tags);
    }

    private long memory() {
        return runs.isRunning() ? sink.figures().held() : 0;
    }

    @Override
    public ReadNodes nodes() {
        return keys.nodes();
    }

    @Override
    public Duration retry() {
        return keys.limits().retry();
    }

    @Override
    public void prepare() {
        if (isElsewhere(keys)) {
            replaceSink();
        }
    }

    /** Whether the brokers, or the server of the snapshot, or the accounts on them, are not those of the plan. */
    private boolean isElsewhere(SinkConfig found) {
        return !SinkPlans.settings(found).equals(plan.target().settings())
                || !found.snapshotServer().equals(plan.delivery().snapshot());
    }

    @Override
    public void run(Peer node, ExecutorService threads) {
        sink.run(node, threads);
    }

    @Override
    public ReaderPlace place() {
        return CommittedPlace.of(sink.position());
    }

    @Override
    public long transactions() {
        return (long) totals.sum(SinkFigures::transactions);
    }

    @Override
    public ReaderRuns runs() {
        return runs;
    }

    @Override
    public void update(Config newer) {
        SinkConfig found = newer.get(SinkConfig.class);
        boolean isElsewhere = isElsewhere(found); // fails if a file of it cannot be read; then nothing is changed
        keys = found;
        runs.update(isElsewhere);
    }

    @Override
    public SinkStatus status() {
        SinkConfig now = keys;
        return new SinkStatus(
                runs.status(plan.name()),
                new SinkStatus.Way(
                        now.kafka().brokers().stream().map(HostPort::toString).collect(Collectors.joining(", ")),
                        text(now.messages().protocol()),
                        text(now.delivery().guarantee()),
                        plan.target().progressTopic()),
                new SinkStatus.Work(
                        (long) totals.sum(SinkFigures::rows),
                        (long) totals.sum(SinkFigures::commits),
                        memory(),
                        now.limits().memory().bytes(),
                        sink.position().copy().map(place -> new SinkStatus.Copy(place.table(), place.rows()))));
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void close() {
        runs.close();
        client.close();
        claims.ifPresent(ClaimObjects::close);
        metrics.close();
    }
}
