package io.tributary.backup;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;

/** Reads the values of metrics. */
public final class Counters {
    private Counters() {}

    public static long value(Metrics metrics, Metric metric) {
        String name = metric.text();
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(name))
                .mapToLong(sample -> (long) sample.value())
                .findFirst()
                .orElseThrow();
    }
}
