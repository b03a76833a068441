package io.tributary.node.task;

import io.tributary.collector.CollectorConfig;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.ddl.PipelineChanges;
import io.tributary.node.status.PipelineStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The pipeline that runs now or ran last, for queries about its transactions. For any thread. */
public final class CurrentPipeline {
    private volatile TaskSettings settings;
    private volatile TaskPipeline pipeline;
    private volatile CollectorConfig collect;

    public CurrentPipeline(TaskSettings settings) {
        this.settings = settings;
        this.collect = settings.collect();
    }

    /** @param its settings from which it was built: relays may have changed */
    public synchronized void replace(TaskPipeline newest, TaskSettings its) {
        settings = its;
        pipeline = newest;
        apply(newest); // the configuration may have changed while it was built
    }

    public CompletableFuture<OrderSnapshot> transactions() {
        TaskPipeline now = pipeline;
        return now == null
                ? CompletableFuture.failedFuture(new IllegalStateException("no transaction was ordered yet"))
                : settings.undecided(now.clock())
                        .of(now.readers().all(), now.collector().snapshot().thenApply(this::withRelays));
    }

    /** Adds hints for shards of relays: their undecided branches are known only to the relay. */
    private OrderSnapshot withRelays(OrderSnapshot snapshot) {
        List<String> hints = settings.relayedHints();
        return hints.isEmpty()
                ? snapshot
                : new OrderSnapshot(
                        snapshot.total(),
                        snapshot.transactions(),
                        Stream.concat(snapshot.waits().stream(), hints.stream()).toList());
    }

    /** Applies changed keys for rows whose columns do not fit. */
    public synchronized void update(Config newer) {
        collect = newer.get(CollectorConfig.class);
        TaskPipeline now = pipeline;
        if (now != null) {
            apply(now);
        }
    }

    private void apply(TaskPipeline to) {
        to.collector().rowRules(collect.ddl().rows());
        to.collector().schemaRules(settings.withCollector(collect).statements());
    }

    /** The current keys of the collector. */
    public CollectorConfig collect() {
        return collect;
    }

    /** The schema changes of the running pipeline. */
    public SchemaChangeAccess schemaChanges() {
        TaskPipeline now = pipeline;
        return now == null || !now.isRunning()
                ? SchemaChangeAccess.none(
                        "no pipeline runs now: see tributary status; a Task has a pipeline while a Dumper is connected")
                : new PipelineChanges(now.collector());
    }

    /**
     * For operators: DDL statements that are missing on some members, and shards that are held; nothing while no pipeline runs, empty before the
     * first one.
     */
    public Optional<PipelineStatus> status() {
        TaskPipeline now = pipeline;
        if (now == null) {
            return Optional.empty();
        }
        return Optional.of(
                now.isRunning()
                        ? new PipelineStatus(
                                now.collector().schemaItems(), now.readers().held())
                        : new PipelineStatus(List.of(), List.of()));
    }
}
