package io.tributary.node.apply;

import io.tributary.apply.Applier;
import io.tributary.apply.ApplyPlan;
import io.tributary.apply.ApplyPosition;
import io.tributary.apply.schedule.ScheduleFigures;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.ApplyStatus;
import io.tributary.node.task.ShardClient;
import io.tributary.replay.session.Peer;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The runs of an applier, one after another, until the node is stopped. After a failure it pauses and begins another run, which resumes from the
 * target's progress; if the failure is one of the node that was read, the next one of {@code apply.nodes} is read. Only a wrong configuration or a
 * contradiction ends the node.
 */
public final class ApplyRuns implements AutoCloseable {

    private final ShardClient client = new ShardClient();
    private final ApplyTotals totals = new ApplyTotals();
    private final Clock clock;
    private final Supervisor supervisor;
    private final ApplyState state;
    private final NewestOfNode newestOfNode;
    private final ApplyLag lag;
    private final Metrics metrics;
    private volatile ApplyConfig keys;
    private volatile int turn; // of apply.nodes
    private volatile Peer node;
    private volatile ApplyPlan plan;
    private volatile Applier applier;
    private volatile FailureSink current = cause -> {};

    /** @param environment whose configuration has the keys of {@link ApplyConfig} */
    public ApplyRuns(NodeEnvironment environment) {
        this.keys = environment.config().get(ApplyConfig.class);
        this.clock = environment.clock();
        this.metrics = environment.metrics().child();
        this.supervisor = new Supervisor(
                environment.stop(), Backoff.upTo(() -> keys.limits().retry().toNanos()), totals::transactions);
        this.state = new ApplyState(supervisor, totals::transactions, clock);
        this.node = keys.node(turn);
        this.newestOfNode = new NewestOfNode(client.client(), () -> node, environment.stop());
        this.lag = new ApplyLag(this::position, newestOfNode::last, clock);
        replaceApplier();
        register();
    }

    private ApplyPosition position() {
        return applier.position();
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
        metrics.register(Metric.APPLY_LAG, lag::seconds);
        metrics.register(Metric.APPLY_LAG_TRANSACTIONS, lag::transactions);
    }

    private void count(Metric metric, ToDoubleFunction<ScheduleFigures> figure, String... tags) {
        metrics.register(metric, () -> totals.sum(figure), tags);
    }

    private int active() {
        return supervisor.isRunning() ? applier.figures().active() : 0;
    }

    /**
     * Returns when the node is stopped and the last run has ended.
     *
     * @throws TributaryException what ended the node
     */
    public void run() throws InterruptedException {
        newestOfNode.begin(lag::remember);
        supervisor.run(this::start);
    }

    private AutoCloseable start(FailureSink failure) {
        current = failure; // before the keys are read, so that a change of them ends this run
        if (!keys.target().equals(plan.target())) {
            replaceApplier();
        }
        Peer from = keys.node(turn);
        node = from;
        state.begins();
        ApplyRun run = new ApplyRun(from);
        run.begin(applier, cause -> ended(cause, failure));
        return run;
    }

    private void ended(TributaryException cause, FailureSink failure) {
        lag.remember();
        if (cause.code() == ErrorCode.NODE_UNREACHABLE || cause.code() == ErrorCode.READER_REFUSED) {
            turn = Math.floorMod(turn + 1, keys.from().addresses().size());
        }
        state.failed(cause);
        failure.failed(Failures.applyHeld(cause));
    }

    /** Uses changed live keys. If the node or the target of the run has changed, it ends, and another one begins. Any thread. */
    public void update(Config newer) {
        ApplyConfig found = newer.get(ApplyConfig.class);
        keys = found;
        int addresses = found.from().addresses().size();
        int same = 0;
        while (same < addresses && !found.node(same).equals(node)) {
            same++;
        }
        turn = same % addresses;
        if (same == addresses || !found.target().equals(plan.target())) {
            current.failed(
                    new TributaryException(ErrorCode.STREAM_RENEWED, "addresses or accounts of apply.* have changed"));
        }
    }

    /** The state of the node: {@code running}, {@code held: ...}. Any thread. */
    public String state() {
        return state.text();
    }

    /** Whether it applies, or would if there were transactions. Any thread. */
    public boolean isHealthy() {
        return state.isHealthy();
    }

    /** The status of the applier. Any thread. */
    public ApplyStatus status() {
        ApplyConfig now = keys;
        Peer read = node;
        return new ApplyStatus(
                state(),
                new ApplyStatus.Place(
                        address(plan.target()),
                        address(read),
                        plan.name(),
                        now.way().backend().name().toLowerCase(Locale.ROOT),
                        now.way().order().name().toLowerCase(Locale.ROOT)),
                new ApplyStatus.Progress(lag.executed(), lag.newest()),
                new ApplyStatus.Lag(lag.transactions(), lag.seconds()),
                new ApplyStatus.Work(
                        active(), now.limits().workers(), (long) totals.sum(ScheduleFigures::retries), (long)
                                totals.sum(ScheduleFigures::leftOut)));
    }

    private static HostPort address(Peer peer) {
        return new HostPort(peer.endpoint().host(), peer.endpoint().port());
    }

    @Override
    public void close() {
        newestOfNode.close();
        client.close();
        metrics.close();
    }
}
