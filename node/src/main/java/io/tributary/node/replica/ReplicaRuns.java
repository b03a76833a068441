package io.tributary.node.replica;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.node.status.VerifyStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The last comparisons of one replica, and its metrics. Any thread. */
final class ReplicaRuns implements AutoCloseable {
    private static final int MOST_RUNS = 10;
    private static final double MILLIS = 1e3;

    private final String replica;
    private final Metrics metrics;
    private final Deque<VerifyStatus.Run> runs = new ArrayDeque<>();
    private RunReport running; // null while none runs
    private long rowsBefore;
    private long failures;
    private double findings = Double.NaN;
    private double lastSeconds = Double.NaN;
    private double durationSeconds = Double.NaN;

    /** @param metrics closed with this object */
    ReplicaRuns(String replica, Metrics metrics) {
        this.replica = replica;
        this.metrics = metrics;
        metrics.register(Metric.VERIFY_LAST, this::lastSeconds, "replica", replica);
        metrics.register(Metric.VERIFY_DURATION, this::durationSeconds, "replica", replica);
        metrics.register(Metric.VERIFY_ROWS, this::rows, "replica", replica);
        metrics.register(Metric.VERIFY_FINDINGS, this::findings, "replica", replica);
        metrics.register(Metric.VERIFY_FAILURES, this::failures, "replica", replica);
    }

    private synchronized double lastSeconds() {
        return lastSeconds;
    }

    private synchronized double durationSeconds() {
        return durationSeconds;
    }

    private synchronized double rows() {
        return rowsBefore + (running == null ? 0 : running.rows());
    }

    private synchronized double findings() {
        return findings;
    }

    private synchronized double failures() {
        return failures;
    }

    synchronized void begins(RunReport report) {
        running = report;
    }

    /** The comparison that runs is complete. */
    synchronized VerifyStatus.Run ended(Instant end) {
        findings = running.findings();
        lastSeconds = end.getEpochSecond();
        VerifyStatus.Run run = end(end, "");
        durationSeconds = Duration.between(run.begin(), end).toMillis() / MILLIS;
        return run;
    }

    /** The comparison that runs has failed. What it has found until then is certain. */
    synchronized VerifyStatus.Run failed(Instant end, String error) {
        failures++;
        if (running.findings() > 0) {
            findings = running.findings();
        }
        return end(end, error);
    }

    private VerifyStatus.Run end(Instant end, String error) {
        VerifyStatus.Run run = running.run(Optional.of(end), error);
        rowsBefore += run.rows();
        running = null;
        runs.addFirst(run);
        if (runs.size() > MOST_RUNS) {
            runs.removeLast();
        }
        return run;
    }

    synchronized VerifyStatus.Replica status() {
        return new VerifyStatus.Replica(
                replica,
                Optional.ofNullable(running).map(report -> report.run(Optional.empty(), "")),
                List.copyOf(runs));
    }

    @Override
    public void close() {
        metrics.close();
    }
}
