package io.tributary.common.metric;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The series of a registry that are collected at each request: those whose tags change, and histograms. Any thread. */
final class SeriesCollector implements MultiCollector {
    private final List<Source> sources = new CopyOnWriteArrayList<>();

    /** A histogram with its tags. */
    record Counted(Metric metric, Map<String, String> tags, Histogram histogram) {}

    /** A source of series: points, or one histogram. */
    static final class Source {
        private final Supplier<List<Metrics.Point>> points;
        private final Counted histogram;

        /** @param histogram null for none */
        Source(Supplier<List<Metrics.Point>> points, Counted histogram) {
            this.points = points;
            this.histogram = histogram;
        }
    }

    void add(Source source) {
        sources.add(source);
    }

    /** Removes exactly this source. */
    void remove(Source source) {
        sources.remove(source);
    }

    @Override
    public MetricSnapshots collect() {
        List<MetricSnapshot> families = new ArrayList<>();
        Map<Metric, List<Metrics.Point>> numbers = new EnumMap<>(Metric.class);
        points().forEach(point -> numbers.computeIfAbsent(point.metric(), absent -> new ArrayList<>())
                .add(point));
        numbers.forEach((metric, points) -> families.add(numbers(metric, points)));
        histograms().forEach((metric, byTags) -> families.add(histogram(metric, byTags)));
        return new MetricSnapshots(families);
    }

    private List<Metrics.Point> points() {
        return sources.stream().flatMap(source -> source.points.get().stream()).toList();
    }

    /** Histograms by metric and tags; each list has at least one. */
    private Map<Metric, Map<Map<String, String>, List<Histogram>>> histograms() {
        Map<Metric, Map<Map<String, String>, List<Histogram>>> found = new EnumMap<>(Metric.class);
        for (Source source : sources) {
            Counted counted = source.histogram;
            if (counted != null) {
                found.computeIfAbsent(counted.metric(), absent -> new LinkedHashMap<>())
                        .computeIfAbsent(counted.tags(), absent -> new ArrayList<>())
                        .add(counted.histogram());
            }
        }
        return found;
    }

    private static MetricSnapshot numbers(Metric metric, List<Metrics.Point> points) {
        String name = name(metric);
        switch (metric.kind()) {
            case COUNTER -> {
                CounterSnapshot.Builder family =
                        CounterSnapshot.builder().name(name).help(metric.about());
                points.forEach(point -> family.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(labels(point.tags()))
                        .value(point.value())
                        .build()));
                return family.build();
            }
            case INFO -> {
                InfoSnapshot.Builder family = InfoSnapshot.builder().name(name).help(metric.about());
                points.forEach(point -> family.dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(labels(point.tags()))
                        .build()));
                return family.build();
            }
            default -> {
                GaugeSnapshot.Builder family =
                        GaugeSnapshot.builder().name(name).help(metric.about());
                points.forEach(point -> family.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(labels(point.tags()))
                        .value(point.value())
                        .build()));
                return family.build();
            }
        }
    }

    private static MetricSnapshot histogram(Metric metric, Map<Map<String, String>, List<Histogram>> byTags) {
        HistogramSnapshot.Builder family =
                HistogramSnapshot.builder().name(name(metric)).help(metric.about());
        byTags.forEach((tags, parts) -> {
            double[] bounds = Arrays.copyOf(parts.get(0).bounds(), parts.get(0).bounds().length + 1);
            bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
            family.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                    .labels(labels(tags))
                    .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts(parts)))
                    .sum(parts.stream().mapToDouble(Histogram::sum).sum())
                    .build());
        });
        return family.build();
    }

    private static long[] counts(List<Histogram> parts) {
        long[] sum = new long[parts.get(0).counts().length];
        for (Histogram part : parts) {
            long[] counts = part.counts();
            Arrays.setAll(sum, i -> sum[i] + counts[i]);
        }
        return sum;
    }

    private static String name(Metric metric) {
        return metric.text().replace('.', '_');
    }

    private static Labels labels(Map<String, String> tags) {
        return Labels.of(tags.keySet().toArray(String[]::new), tags.values().toArray(String[]::new));
    }

    /** All series as numbers: a histogram as its count and its sum. */
    List<Metrics.Sample> samples() {
        List<Metrics.Sample> samples = new ArrayList<>();
        points().forEach(point -> samples.add(new Metrics.Sample(point.metric().text(), point.tags(), point.value())));
        histograms()
                .forEach((metric, byTags) -> byTags.forEach((tags, parts) -> {
                    double count = Arrays.stream(counts(parts)).sum();
                    samples.add(new Metrics.Sample(metric.text() + ".count", tags, count));
                    double sum = parts.stream().mapToDouble(Histogram::sum).sum();
                    samples.add(new Metrics.Sample(metric.text() + ".sum", tags, sum));
                }));
        return samples;
    }
}
