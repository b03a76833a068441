package io.tributary.node.replica;

import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.node.dumper.SchemaNamesConfig;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.status.VerifyStatus;
import io.tributary.node.task.ShardClient;
import io.tributary.serve.ServeConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the replicas of a running node with the shards, again and again ({@code verify.every}). It is done where the binlog is served: on a
 * standalone node, on a Dumper, in a cluster on the Dumper that leads. It uses two threads, and one session on each shard, on the replica and on the node
 * itself. A comparison that fails is reported, and done again at the next turn; it never ends the node.
 */
public final class VerifySchedule implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VerifySchedule.class);
    private static final long LONGEST_WAIT_MICROS = TimeUnit.SECONDS.toMicros(1);
    private static final long MICROS = TimeUnit.SECONDS.toMicros(1);

    private final ConfigSource source;
    private final BooleanSupplier serves;
    private final Metrics metrics;
    private final Clock clock;
    private final WorkerThreads threads = new WorkerThreads("verify");
    private final Map<String, ReplicaRuns> replicas = new LinkedHashMap<>();
    private Config live;
    private boolean isRunning; // whether the thread of the schedule runs
    private boolean isClosed;
    private long nextMicros; // 0: not determined
    private ShardClient client; // of the comparison that runs, null while none runs

    /** @param serves whether this node serves the binlog, and is the only one that may compare replicas; any thread */
    public VerifySchedule(ConfigSource source, BooleanSupplier serves, Metrics metrics, Clock clock) {
        this.source = source;
        this.serves = serves;
        this.metrics = metrics;
        this.clock = clock;
        this.live = source.started();
    }

    /** Begins, if it is configured. */
    public synchronized void begin() {
        if (!isRunning && !isClosed && keys().isOn()) {
            isRunning = true;
            threads.executor().execute(this::run);
        }
    }

    /** Applies changed live keys; a comparison that runs is completed with the old ones. */
    public synchronized void update(Config newer) {
        VerifyConfig before = keys();
        live = newer;
        if (!keys().hasTurnsOf(before)) {
            nextMicros = 0;
        }
        begin();
        notifyAll();
    }

    private synchronized VerifyConfig keys() {
        return live.get(VerifyConfig.class);
    }

    private void run() {
        LOG.info("comparisons of replicas are scheduled: replicas=\"{}\"", keys().replicas());
        try {
            while (awaitTurn()) {
                compareAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the node ends
        }
    }

    /** Waits for the next turn; false if there is none any more. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        while (!isClosed) {
            VerifyConfig keys = keys();
            if (!keys.isOn()) {
                isRunning = false;
                forget(List.of());
                return false;
            }
            boolean isServing = serves.getAsBoolean();
            forget(isServing ? keys.replicas() : List.of());
            long now = clock.epochMicros();
            long period = micros(keys.every().orElseThrow());
            if (nextMicros == 0
                    || nextMicros - now > period
                    || !isServing) { // also after the machine's date was set back
                nextMicros = next(now, micros(keys.at()), period);
            }
            if (nextMicros <= now) {
                return true;
            }
            long millis = TimeUnit.MICROSECONDS.toMillis(Math.min(LONGEST_WAIT_MICROS, nextMicros - now)) + 1;
            wait(millis);
        }
        return false;
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    /** The first time after {@code now} that is {@code at} and a multiple of the period after 1970-01-01 UTC; all in microseconds. */
    static long next(long now, long at, long period) {
        return now - Math.floorMod(now - at, period) + period;
    }

    /** Drops the results of all other replicas. */
    private void forget(List<HostPort> kept) {
        List<String> names = kept.stream().map(HostPort::toString).toList();
        replicas.entrySet().removeIf(entry -> {
            boolean isDropped = !names.contains(entry.getKey());
            if (isDropped) {
                entry.getValue().close();
            }
            return isDropped;
        });
    }

    private void compareAll() {
        VerifyConfig keys = keys();
        if (keys.replicas().isEmpty()) {
            LOG.warn("comparison of replicas failed: error=\"verify.replica: expected addresses, found none\"");
        }
        for (HostPort replica : keys.replicas()) {
            if (serves.getAsBoolean() && !hasClosed()) {
                compare(replica, keys);
            }
        }
        synchronized (this) {
            nextMicros = 0;
        }
    }

    private synchronized boolean hasClosed() {
        return isClosed;
    }

    private void compare(HostPort replica, VerifyConfig keys) {
        RunReport report = new RunReport(now(), this::requireServing);
        ReplicaRuns runs = begin(replica.toString(), report);
        try (ShardClient own = open()) {
            VerifyPlan plan = VerifyPlan.of(replica, keys);
            new ReplicaVerification(own.client(), streamKeys(), clock).run(plan, report, threads.executor());
            ended(replica, runs.ended(now()), report);
        } catch (RuntimeException e) {
            failed(replica, runs, e);
        }
    }

    private Instant now() {
        long micros = clock.epochMicros();
        return Instant.ofEpochSecond(micros / MICROS, TimeUnit.MICROSECONDS.toNanos(micros % MICROS));
    }

    private synchronized ReplicaRuns begin(String replica, RunReport report) {
        ReplicaRuns runs = replicas.computeIfAbsent(replica, name -> new ReplicaRuns(name, metrics.child()));
        runs.begins(report);
        return runs;
    }

    private synchronized ShardClient open() {
        if (isClosed) {
            throw ended();
        }
        client = new ShardClient(1);
        return client;
    }

    private void requireServing() {
        if (!serves.getAsBoolean()) {
            throw ended();
        }
    }

    private static TributaryException ended() {
        return new TributaryException(ErrorCode.EPOCH_OVER, "this node does not serve the binlog any more");
    }

    /** The shards of the file as it is now are those that a command has added meanwhile. */
    private StreamKeys streamKeys() {
        Config now;
        synchronized (this) {
            now = live;
        }
        SchemaNamesConfig names = now.get(SchemaNamesConfig.class);
        Map<String, ShardConfig> shards = new TreeMap<>();
        try {
            shards.putAll(source.file().get().get(SchemaNamesConfig.class).shards());
        } catch (TributaryException e) {
            LOG.debug("configuration file not read: error=\"{}\"", e.line());
        }
        shards.putAll(names.shards());
        HiddenTables hidden = new HiddenTables(names.ddlHidden());
        return new StreamKeys(
                now.get(ServeConfig.class),
                shards,
                new TableNames(names.filterSchemas(), names.tableMap(), hidden::hides));
    }

    private static void ended(HostPort replica, VerifyStatus.Run run, RunReport report) {
        long seconds = Duration.between(run.begin(), run.end().orElseThrow()).toSeconds();
        if (run.findings() == 0) {
            LOG.info(
                    "replica is equal to the shards: replica={} tables={} rows={} seconds={}",
                    replica,
                    run.tables(),
                    run.rows(),
                    seconds);
        } else {
            LOG.warn(
                    "replica differs from the shards: replica={} findings={} tables=\"{}\" rows={} seconds={}"
                            + " action=\"see /verify of the admin endpoint, find the reason, then run tributary verify --repair run\"",
                    replica,
                    run.findings(),
                    report.tablesThatDiffer(),
                    run.rows(),
                    seconds);
        }
    }

    private void failed(HostPort replica, ReplicaRuns runs, RuntimeException failure) {
        String error = failure instanceof TributaryException known ? known.line() : failure.toString();
        var unused = runs.failed(now(), error);
        if (hasClosed() || !serves.getAsBoolean()) {
            LOG.info("comparison of a replica ended: replica={} reason=\"this node does not serve any more\"", replica);
            return;
        }
        LOG.warn(
                "comparison of a replica failed: replica={} error=\"{}\" effect=\"it is compared again at the next turn\"",
                replica,
                error);
        if (!(failure instanceof TributaryException)) {
            LOG.warn("comparison of a replica failed by an error of the program: replica={}", replica, failure);
        }
    }

    /** The last comparisons; empty if there are none to be done here. */
    public synchronized Optional<VerifyStatus> status() {
        if (!keys().isOn() || !serves.getAsBoolean()) {
            return Optional.empty();
        }
        List<VerifyStatus.Replica> all = new ArrayList<>();
        replicas.values().forEach(runs -> all.add(runs.status()));
        Optional<Instant> next =
                nextMicros == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(nextMicros / MICROS));
        return Optional.of(new VerifyStatus(next, all));
    }

    /** Ends a comparison that runs. */
    @Override
    public void close() {
        ShardClient open;
        synchronized (this) {
            isClosed = true;
            open = client;
            notifyAll();
        }
        threads.close();
        if (open != null) {
            open.close();
        }
        synchronized (this) {
            forget(List.of());
        }
    }
}
