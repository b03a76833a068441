package io.tributary.node.console;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.metric.Metric;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.node.status.ShardStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The shards of a node: one row for each, those with problems first. */
public final class ShardRows {
    /** The maximum number of rows in one answer. */
    public static final int MOST = 50;

    private static final double BEHIND_SECONDS = 10;

    /** The states of a shard, the worst first. */
    private enum State {
        HELD,
        WAITS,
        BEHIND,
        READ,
        UNKNOWN
    }

    private final Map<String, ShardStatus> positions = new HashMap<>();
    private final Map<Metric, Map<String, Double>> values = new HashMap<>();
    private final Set<String> held = new HashSet<>();
    private final Set<String> waiting = new HashSet<>();
    private final List<String> names;

    public ShardRows(NodeStatus status, SampleTable samples) {
        status.parts().forEach(part -> {
            part.positions().forEach(shard -> positions.putIfAbsent(shard.name(), shard));
            part.holds().forEach(hold -> held.add(hold.shard()));
            if (part instanceof PipelineStatus pipeline) {
                pipeline.schemaChanges().forEach(this::addState);
            }
        });
        for (Metric metric : List.of(
                Metric.SHARD_LAG,
                Metric.EXTRACT_LAG,
                Metric.EXTRACT_BYTES,
                Metric.EXTRACT_TRANSACTIONS,
                Metric.EXTRACT_CONNECTS,
                Metric.EXTRACT_LEFT_OUT)) {
            values.put(metric, samples.by("shard", metric));
        }
        Set<String> all = new LinkedHashSet<>(status.shards());
        all.addAll(positions.keySet());
        all.addAll(values.get(Metric.EXTRACT_BYTES).keySet());
        names = new ArrayList<>(all);
        names.sort(Comparator.comparing(this::state)
                .thenComparing(Comparator.comparingDouble(this::roundedLag).reversed()));
    }

    private void addState(SchemaItem item) {
        if (!item.shard().isEmpty() && item.state() != SchemaItem.State.HELD) {
            waiting.add(item.shard());
        }
    }

    private State state(String shard) {
        if (held.contains(shard)) {
            return State.HELD;
        }
        if (waiting.contains(shard)) {
            return State.WAITS;
        }
        double lag = lag(shard);
        if (Double.isNaN(lag)) {
            return State.UNKNOWN;
        }
        return lag > BEHIND_SECONDS ? State.BEHIND : State.READ;
    }

    private double lag(String shard) {
        double read = value(Metric.EXTRACT_LAG, shard);
        double processed = value(Metric.SHARD_LAG, shard);
        return Double.isNaN(processed) ? read : Double.isNaN(read) ? processed : Math.max(read, processed);
    }

    /** Shards with a usual lag keep their order. */
    private double roundedLag(String shard) {
        double lag = lag(shard);
        return lag > BEHIND_SECONDS ? Math.rint(lag) : 0;
    }

    private double value(Metric metric, String shard) {
        return values.get(metric).getOrDefault(shard, Double.NaN);
    }

    /** How many shards are in each state, by the name of the state. */
    Map<String, Object> counts() {
        Map<String, Object> counts = new LinkedHashMap<>();
        for (State state : State.values()) {
            counts.put(
                    name(state),
                    names.stream().filter(shard -> state(shard) == state).count());
        }
        return counts;
    }

    /**
     * The rows from an index on.
     *
     * @param part of the name that a shard must contain; "" for all
     * @return {@code total} and {@code shown}, at most {@link #MOST}
     */
    public Map<String, Object> page(int from, String part, Audience audience) {
        List<String> found = names.stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)))
                .toList();
        return Bounded.list(
                found.size(), found.stream().skip(from).toList(), MOST, shard -> (Object) row(shard, audience));
    }

    private Map<String, Object> row(String shard, Audience audience) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", Bounded.text(shard));
        row.put("state", name(state(shard)));
        row.put("lag", lag(shard));
        row.put("bytes", value(Metric.EXTRACT_BYTES, shard));
        row.put("transactions", value(Metric.EXTRACT_TRANSACTIONS, shard));
        row.put("connects", value(Metric.EXTRACT_CONNECTS, shard));
        row.put("leftOut", value(Metric.EXTRACT_LEFT_OUT, shard));
        ShardStatus position = positions.get(shard);
        if (audience == Audience.OPERATOR && position != null) {
            row.put("position", Bounded.text(position.position()));
        }
        return row;
    }

    private static String name(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
