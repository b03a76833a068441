package io.tributary.node.role;

import io.tributary.collector.Collector;
import io.tributary.collector.order.DdlWatch;
import io.tributary.collector.order.OrderSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The collector of the pipeline that runs now, for those who ask. Any thread. */
final class Ordering {
    private volatile Collector collector;

    void begins(TaskPipeline pipeline) {
        collector = pipeline.collector();
    }

    CompletableFuture<OrderSnapshot> transactions() {
        Collector now = collector;
        return now == null
                ? CompletableFuture.failedFuture(new IllegalStateException("nothing has been put into order yet"))
                : now.inquire();
    }

    /** Adds what people should know: DDL statements that some shards lack. */
    void addTo(Map<String, String> facts) {
        Collector now = collector;
        List<DdlWatch.Waiting> waiting = now == null ? List.of() : now.waitingDdls();
        if (!waiting.isEmpty()) {
            facts.put(
                    "ddl.pending",
                    waiting.stream().map(DdlWatch.Waiting::toString).collect(Collectors.joining("; ")));
        }
    }
}
