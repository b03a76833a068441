package io.tributary.node.status;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** State, readiness, build and held shards of a node as metrics. Any thread. */
public final class NodeSeries {
    private final Supplier<NodeStatus> status;
    private final String revision;
    private final Metrics metrics;

    /** @param revision of the source that the program was built from */
    public NodeSeries(Supplier<NodeStatus> status, String revision, Metrics metrics) {
        this.status = status;
        this.revision = revision;
        this.metrics = metrics;
    }

    /** The series as they are now. */
    public List<Metrics.Point> points() {
        NodeStatus now = status.get();
        NodeHealth health = NodeHealth.of(now, metrics.byTag(Metric.SHARD_LAG, "shard"));
        String state = health.state().name().toLowerCase(Locale.ROOT);
        List<Metrics.Point> points = new ArrayList<>(List.of(
                new Metrics.Point(
                        Metric.BUILD,
                        Map.of(
                                "version",
                                now.version(),
                                "revision",
                                revision,
                                "java",
                                Runtime.version().toString()),
                        1),
                new Metrics.Point(Metric.NODE_STATE, Map.of("role", now.role(), "state", state), 1),
                new Metrics.Point(Metric.NODE_READY, Map.of(), health.isReady() ? 1 : 0),
                new Metrics.Point(Metric.NODE_LEADER, Map.of(), health.state() == NodeHealth.State.LEADER ? 1 : 0),
                new Metrics.Point(Metric.NODE_TERM, Map.of(), health.term())));
        now.parts().forEach(part -> addHolds(part, points));
        return points;
    }

    private static void addHolds(StatusPart part, List<Metrics.Point> points) {
        if (part instanceof PipelineStatus) {
            long shards = part.holds().stream().map(Hold::shard).distinct().count();
            points.add(new Metrics.Point(Metric.COLLECT_HELD_SHARDS, Map.of(), shards));
        }
        part.holds().stream()
                .map(hold -> Map.of("shard", hold.shard(), "code", hold.code()))
                .distinct()
                .forEach(tags -> points.add(new Metrics.Point(Metric.SHARD_HELD, tags, 1)));
    }
}
