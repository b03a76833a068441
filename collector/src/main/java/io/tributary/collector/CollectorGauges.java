package io.tributary.collector;

import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.TotalOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.SchemaStatus;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The metrics of the collector and of each shard; written only by the collector's thread. */
final class CollectorGauges implements AutoCloseable {
    private final Metrics metrics;
    private final Clock clock;
    private final Count waiting = new Count();
    private final Count inDoubt = new Count();
    private final Count oldestNanos = new Count();

    /** By index; null for a shard that is only expected or has left. */
    private final List<ShardGauge> shards = new ArrayList<>();

    /** The metrics of one shard; they are closed when it leaves. */
    private record ShardGauge(Count micros, Metrics metrics) {}

    CollectorGauges(
            Metrics metrics, Clock clock, BatchWriter writer, ProtocolViolations violations, SchemaOrder order) {
        SchemaStatus schema = order.watch();
        this.metrics = metrics;
        this.clock = clock;
        metrics.register(Metric.COLLECT_TRANSACTIONS, writer.transactions()::value);
        metrics.register(Metric.COLLECT_DISTRIBUTED, writer.distributed()::value);
        metrics.register(Metric.COLLECT_WAITING, waiting::value);
        metrics.register(Metric.COLLECT_IN_DOUBT, inDoubt::value);
        metrics.register(Metric.COLLECT_OLDEST, () -> oldestNanos.value() / 1e9);
        metrics.register(Metric.COLLECT_DDL_PENDING, () -> schema.items().size());
        metrics.register(Metric.COLLECT_DDL_APPROXIMATE, order.changes().approximate()::value);
        metrics.register(Metric.COLLECT_DDL_IGNORED, order.changes().ignored()::value);
        metrics.register(Metric.COLLECT_DEFINITIONS_LEARNED, order.changes().learned()::value);
        metrics.register(Metric.COLLECT_XIDS_USED_AGAIN, violations.xidsUsedAgain()::value);
        metrics.register(Metric.COLLECT_LATE_BRANCHES, violations.lateBranches()::value);
        metrics.register(Metric.COLLECT_MIXED_OUTCOMES, violations.mixedOutcomes()::value);
    }

    /** Adds the metrics of a shard. */
    void show(int shard, String shardName) {
        while (shards.size() <= shard) {
            shards.add(null);
        }
        ShardGauge gauge = new ShardGauge(new Count(), metrics.child());
        gauge.metrics.register(Metric.SHARD_LAG, () -> lagSeconds(gauge.micros.value()), "shard", shardName);
        shards.set(shard, gauge);
    }

    private double lagSeconds(long newestMicros) {
        return newestMicros == 0 ? 0 : Math.max(0, clock.epochMicros() - newestMicros) / 1e6;
    }

    /** Removes the metrics of a shard that has left. */
    void hide(int shard) {
        if (shards.get(shard) != null) {
            shards.get(shard).metrics.close();
            shards.set(shard, null);
        }
    }

    /** Copies the current state of the order. */
    void update(TotalOrder order) {
        waiting.set(order.queued());
        inDoubt.set(order.inDoubt());
        oldestNanos.set(order.oldestNanos());
        for (int shard = 0; shard < shards.size(); shard++) {
            if (shards.get(shard) != null) {
                shards.get(shard).micros.set(order.commitMicros(shard));
            }
        }
    }

    /** Closes the metrics of the shards. */
    @Override
    public void close() {
        shards.stream().filter(Objects::nonNull).forEach(gauge -> gauge.metrics.close());
    }
}
