package io.tributary.node.console;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** The values of all metrics at one moment, by name. */
public final class SampleTable {
    private static final String READER = "reader";
    private static final String PREFIX = "." + READER + ".";

    private final Map<String, List<Metrics.Sample>> byName = new HashMap<>();

    public SampleTable(List<Metrics.Sample> samples) {
        samples.forEach(sample -> byName.computeIfAbsent(sample.name(), absent -> new ArrayList<>())
                .add(sample));
    }

    /** Whether the node has this metric now. */
    boolean has(Metric metric) {
        return byName.containsKey(metric.text());
    }

    /** The sum over all tags; NaN if the node does not have the metric. */
    double sum(Metric metric) {
        return combined(metric, Double::sum);
    }

    /** The largest value over all tags; NaN if the node does not have the metric. */
    double largest(Metric metric) {
        return combined(metric, Math::max);
    }

    private double combined(Metric metric, DoubleBinaryOperator both) {
        return byName.getOrDefault(metric.text(), List.of()).stream()
                .mapToDouble(Metrics.Sample::value)
                .filter(value -> !Double.isNaN(value))
                .reduce(both)
                .orElse(Double.NaN);
    }

    /** The values by a tag, in the order of its names. */
    Map<String, Double> by(String tag, Metric metric) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Metrics.Sample sample : byName.getOrDefault(metric.text(), List.of())) {
            String name = sample.tags().get(tag);
            if (name != null) {
                values.merge(name, sample.value(), Double::sum);
            }
        }
        return values;
    }

    /** The values of the metrics that have the tag reader, by reader and by the metric's name without its prefix. */
    Map<String, Map<String, Double>> byReader() {
        Map<String, Map<String, Double>> readers = new TreeMap<>();
        byName.forEach((name, samples) -> samples.forEach(sample -> {
            String reader = sample.tags().get(READER);
            if (reader != null && name.contains(PREFIX)) {
                readers.computeIfAbsent(reader, absent -> new TreeMap<>())
                        .put(name.substring(name.indexOf(PREFIX) + PREFIX.length()), sample.value());
            }
        }));
        return readers;
    }
}
