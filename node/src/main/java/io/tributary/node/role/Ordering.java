package io.tributary.node.role;

import io.tributary.collector.order.DdlWatch;
import io.tributary.collector.order.OrderSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pipeline that runs now, or ran last, for those who ask what it has put into order. Any thread. */
final class Ordering {
    private volatile TaskSettings settings;
    private volatile TaskPipeline pipeline;

    Ordering(TaskSettings settings) {
        this.settings = settings;
    }

    /** @param its what it was built from: relays may have changed */
    void begins(TaskPipeline newest, TaskSettings its) {
        settings = its;
        pipeline = newest;
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

    /** Adds what people should know: DDL statements that some shards lack. */
    void addTo(Map<String, String> facts) {
        TaskPipeline now = pipeline;
        List<DdlWatch.Waiting> waiting =
                now == null ? List.of() : now.collector().waitingDdls();
        if (!waiting.isEmpty()) {
            facts.put(
                    "ddl.pending",
                    waiting.stream().map(DdlWatch.Waiting::toString).collect(Collectors.joining("; ")));
        }
    }
}
