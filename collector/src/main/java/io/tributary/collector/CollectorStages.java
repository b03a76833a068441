package io.tributary.collector;

import io.tributary.collector.writeset.DependencyTracker;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.BufferPool;
import io.tributary.common.pipeline.Stage;
import io.tributary.schema.keys.KeyReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The stages of collecting, joined by their ring. Each may have its own thread, or several share one. All of them must be closed.
 *
 * @param collector puts tokens into order
 * @param workers encode transactions
 * @param publisher sends chunks
 */
public record CollectorStages(Collector collector, List<EncodeWorker> workers, Publisher publisher) {
    private static final int SLOTS = 32;
    /** Direct memory for transactions that are encoded and wait to be written or sent. */
    private static final long MOST_ENCODED = 64 << 20;

    public CollectorStages {
        workers = List.copyOf(workers);
    }

    /**
     * The values in the events that the collector makes.
     *
     * @param serverId the global binlog's server_id, 1..2^32-1
     * @param serverVersion in the form of GTID events, such as 80036
     */
    public record Origin(long serverId, int serverVersion) {
        private TransactionEncoder encoder() {
            return new TransactionEncoder(serverId, serverVersion);
        }
    }

    /**
     * @param origin of the events that the collector makes
     * @param start where to resume
     */
    public static CollectorStages of(
            CollectorConfig config,
            Origin origin,
            OrderStart start,
            CollectorLinks links,
            CollectorResources resources) {
        int workers = config.batch().workers();
        BatchRing ring = new BatchRing(SLOTS, workers, new BufferPool(MOST_ENCODED));
        Collector collector = new Collector(config, start, ring, links, resources);
        boolean readsKeys = config.parallel() == BinlogParallel.WRITESET;
        List<EncodeWorker> encoders = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            KeyReader keys = readsKeys ? new KeyReader() : null;
            encoders.add(new EncodeWorker("prepare-" + worker, ring, worker, origin.encoder(), keys));
        }
        DependencyTracker dependencies =
                readsKeys ? dependencies(start.cut().transactions(), resources.metrics()) : null;
        return new CollectorStages(
                collector, encoders, new Publisher("publish", ring, links.chunks(), origin.encoder(), dependencies));
    }

    private static DependencyTracker dependencies(long before, Metrics metrics) {
        DependencyTracker made = new DependencyTracker(before);
        metrics.register(Metric.COLLECT_ALONE, made.alone()::value);
        metrics.register(Metric.COLLECT_DEPENDENCIES_OF_SHARDS, made.byShards()::value);
        return made;
    }

    /** All stages, in the order in which a transaction passes them. */
    public List<Stage> all() {
        List<Stage> all = new ArrayList<>();
        all.add(collector);
        all.addAll(workers);
        all.add(publisher);
        return all;
    }
}
