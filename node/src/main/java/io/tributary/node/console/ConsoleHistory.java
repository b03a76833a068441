package io.tributary.node.console;

import io.tributary.common.metric.Metric;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The node's totals of the last minutes, so that the charts of a page that was just opened are not empty. One thread. */
public final class ConsoleHistory {
    /** The maximum number of points: ten minutes at one point in two seconds. */
    public static final int MOST = 300;

    /** The name of a point's time, in milliseconds from an arbitrary origin. */
    static final String TIME = "millis";

    private static final Map<String, Metric> SUMS = sums();
    private static final String LAG = "lag";

    /** The lag of a node is the first of these that it has. */
    private static final List<Metric> LAGS =
            List.of(Metric.SHARD_LAG, Metric.EXTRACT_LAG, Metric.APPLY_LAG, Metric.SINK_LAG);

    private final Deque<List<Object>> points = new ArrayDeque<>();

    private static Map<String, Metric> sums() {
        Map<String, Metric> sums = new LinkedHashMap<>();
        sums.put("readBytes", Metric.EXTRACT_BYTES);
        sums.put("readTransactions", Metric.EXTRACT_TRANSACTIONS);
        sums.put("ordered", Metric.COLLECT_TRANSACTIONS);
        sums.put("writtenBytes", Metric.WRITE_BYTES);
        sums.put("writtenTransactions", Metric.WRITE_TRANSACTIONS);
        sums.put("syncs", Metric.WRITE_SYNCS);
        sums.put("servedBytes", Metric.SERVE_BYTES);
        sums.put("copiedBytes", Metric.FOLLOW_BYTES);
        sums.put("appliedTransactions", Metric.APPLY_TRANSACTIONS);
        sums.put("sinkRows", Metric.SINK_ROWS);
        return Collections.unmodifiableMap(sums);
    }

    /**
     * Adds the totals of a moment; the oldest ones are dropped.
     *
     * @param millis from an arbitrary origin
     */
    public void add(long millis, SampleTable samples) {
        if (points.size() == MOST) {
            points.removeFirst();
        }
        List<Object> point = new ArrayList<>();
        point.add(millis);
        point.addAll(totals(samples).values());
        points.addLast(point);
    }

    /** All points, the oldest first: {@code names} and {@code points}, each with one value for each name. */
    public Map<String, Object> all() {
        List<String> names = new ArrayList<>();
        names.add(TIME);
        names.addAll(SUMS.keySet());
        names.add(LAG);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("names", names);
        all.put("points", List.copyOf(points));
        return all;
    }

    /** The counters that the charts show, summed over all shards and links, and the largest lag; NaN for what the node does not have. */
    static Map<String, Object> totals(SampleTable samples) {
        Map<String, Object> totals = new LinkedHashMap<>();
        SUMS.forEach((name, metric) -> totals.put(name, samples.sum(metric)));
        totals.put(
                LAG,
                LAGS.stream()
                        .filter(samples::has)
                        .findFirst()
                        .map(samples::largest)
                        .orElse(Double.NaN));
        return totals;
    }
}
