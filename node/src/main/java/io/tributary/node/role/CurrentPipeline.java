package io.tributary.node.role;

import io.tributary.collector.CollectorConfig;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.node.admin.SchemaChanges;
import io.tributary.node.ddl.PipelineChanges;
import io.tributary.node.ddl.SchemaFacts;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The pipeline that runs now, or ran last, for those who ask what it has put into order. Any thread. */
final class Ordering {
    private volatile TaskSettings settings;
    private volatile TaskPipeline pipeline;
    private volatile CollectorConfig collect;

    Ordering(TaskSettings settings) {
        this.settings = settings;
        this.collect = settings.collect();
    }

    /** @param its what it was built from: relays may have changed */
    synchronized void begins(TaskPipeline newest, TaskSettings its) {
        settings = its;
        pipeline = newest;
        tell(newest); // read again while it was made
    }

    CompletableFuture<OrderSnapshot> transactions() {
        TaskPipeline now = pipeline;
        return now == null
                ? CompletableFuture.failedFuture(new IllegalStateException("nothing has been put into order yet"))
                : settings.undecided(now.clock())
                        .of(now.readers().all(), now.collector().inquire().thenApply(this::withRelays));
    }

    /** What is undecided on a relay's shards is known there. */
    private OrderSnapshot withRelays(OrderSnapshot snapshot) {
        List<String> hints = settings.relayedHints();
        return hints.isEmpty()
                ? snapshot
                : new OrderSnapshot(
                        snapshot.total(),
                        snapshot.transactions(),
                        Stream.concat(snapshot.waits().stream(), hints.stream()).toList());
    }

    /** Takes other keys for rows whose columns do not fit. */
    synchronized void take(Config newer) {
        collect = newer.get(CollectorConfig.class);
        TaskPipeline now = pipeline;
        if (now != null) {
            tell(now);
        }
    }

    private void tell(TaskPipeline to) {
        to.collector().rows(collect.rows());
        to.collector().rules(settings.collecting(collect).statements());
    }

    /** The keys of the collector that count now. */
    CollectorConfig collect() {
        return collect;
    }

    /** Those of the pipeline that runs. */
    SchemaChanges schemaChanges() {
        TaskPipeline now = pipeline;
        return now == null || !now.isRunning()
                ? SchemaChanges.none(
                        "no pipeline runs now, so nothing is put into order: see tributary status; a Task has"
                                + " a pipeline while a Dumper is connected")
                : new PipelineChanges(now.collector());
    }

    /** Adds what people should know: DDL statements that some members lack, and shards that are held. */
    void addTo(Map<String, String> facts) {
        TaskPipeline now = pipeline;
        if (now != null) {
            new SchemaFacts(now.collector().schemaItems()).addTo(facts);
            now.readers().all().stream()
                    .filter(reader -> !reader.extractor().held().isEmpty())
                    .forEach(reader -> facts.put(
                            "shard." + reader.name() + ".held",
                            reader.extractor().held()));
        }
    }
}
