package io.tributary.node.apply;

import io.tributary.apply.Applier;
import io.tributary.apply.ApplyPlan;
import io.tributary.apply.schedule.ScheduleFigures;
import io.tributary.common.config.Config;
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
import io.tributary.node.status.ApplyStatus;
import io.tributary.node.task.ShardClient;
import io.tributary.replay.session.Peer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.function.ToDoubleFunction;

/** The runs of an applier, one after another, until the node is stopped. Each resumes from the target's progress. */
public final class ApplyRuns implements ReaderWork, NodeReader {
    private static final ReaderRuns.ReaderName NAME = new ReaderRuns.ReaderName("apply", ErrorCode.APPLY_HELD);

    private final ShardClient client = new ShardClient();
    private final ReaderTotals<ScheduleFigures> totals = new ReaderTotals<>();
    private final Clock clock;
    private final ReaderRuns runs;
    private final Metrics metrics;
    private volatile ApplyConfig keys;
    private volatile ApplyPlan plan;
    private volatile Applier applier;

    /** @param environment whose configuration has the keys of {@link ApplyConfig} */
    public ApplyRuns(NodeEnvironment environment) {
        this.keys = environment.config().get(ApplyConfig.class);
        this.clock = environment.clock();
        this.metrics = environment.metrics().child();
        replaceApplier();
        this.runs = new ReaderRuns(NAME, this, client.client(), environment);
        register();
    }

    private void replaceApplier() {
        plan = keys.plan();
        Applier made = new Applier(client.client(), plan, clock);
        totals.add(made.figures());
        applier = made;
    }

    private void register() {
        count(Metric.APPLY_TRANSACTIONS, ScheduleFigures::transactions);
        count(Metric.APPLY_BYTES, ScheduleFigures::bytes);
        count(Metric.APPLY_RETRIES, ScheduleFigures::retries);
        count(Metric.APPLY_LEFT_OUT, ScheduleFigures::leftOut);
        count(Metric.APPLY_BLOCKED, ScheduleFigures::memorySeconds, "reason", "memory");
        count(Metric.APPLY_BLOCKED, ScheduleFigures::barrierSeconds, "reason", "barrier");
        count(Metric.APPLY_BLOCKED, ScheduleFigures::dependencySeconds, "reason", "dependency");
        count(Metric.APPLY_BLOCKED, ScheduleFigures::sessionSeconds, "reason", "worker");
        count(Metric.APPLY_ORDER_WAIT, ScheduleFigures::orderSeconds);
        metrics.register(Metric.APPLY_WORKERS_ACTIVE, this::active);
        metrics.register(Metric.APPLY_LAG, runs.lag()::seconds);
        metrics.register(Metric.APPLY_LAG_TRANSACTIONS, runs.lag()::transactions);
    }

    private void count(Metric metric, ToDoubleFunction<ScheduleFigures> figure, String... tags) {
        metrics.register(metric, () -> totals.sum(figure), tags);
    }

    private int active() {
        return runs.isRunning() ? applier.figures().active() : 0;
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
        if (!keys.target().equals(plan.target())) {
            replaceApplier();
        }
    }

    @Override
    public void run(Peer node, ExecutorService threads) {
        applier.run(node, threads);
    }

    @Override
    public ReaderPlace place() {
        return ApplyPlace.of(applier.position());
    }

    @Override
    public long transactions() {
        return (long) totals.sum(ScheduleFigures::transactions);
    }

    @Override
    public ReaderRuns runs() {
        return runs;
    }

    @Override
    public void update(Config newer) {
        ApplyConfig found = newer.get(ApplyConfig.class);
        keys = found;
        runs.update(!found.target().equals(plan.target()));
    }

    @Override
    public ApplyStatus status() {
        ApplyConfig now = keys;
        return new ApplyStatus(
                runs.status(plan.name()),
                new ApplyStatus.Way(
                        ReaderRuns.address(plan.target()),
                        now.way().backend().name().toLowerCase(Locale.ROOT),
                        now.way().order().name().toLowerCase(Locale.ROOT)),
                new ApplyStatus.Work(
                        active(), now.limits().workers(), (long) totals.sum(ScheduleFigures::retries), (long)
                                totals.sum(ScheduleFigures::leftOut)));
    }

    @Override
    public void close() {
        runs.close();
        client.close();
        metrics.close();
    }
}
