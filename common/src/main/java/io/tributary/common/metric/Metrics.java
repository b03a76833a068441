package io.tributary.common.metric;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tributary.common.pipeline.Link;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The metrics of one pipeline or role. Stages count in their own plain fields; this class reads them only on request.
 * Closing it removes its meters from the registry, so that a rebuilt pipeline can register its meters.
 */
public final class Metrics implements AutoCloseable {
    private static final String OWN = "tributary.";

    private final PrometheusMeterRegistry registry;
    private final SeriesCollector series;
    private final List<SeriesCollector.Source> own = new ArrayList<>();
    private final List<AutoCloseable> binders = new ArrayList<>();
    private final List<Meter> meters = new ArrayList<>();
    /** The registry holds a counter's source by a weak reference only. */
    private final List<DoubleSupplier> sources = new ArrayList<>();

    /** With a new registry. */
    public Metrics() {
        this(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), new SeriesCollector());
        registry.getPrometheusRegistry().register(series);
    }

    private Metrics(PrometheusMeterRegistry registry, SeriesCollector series) {
        this.registry = registry;
        this.series = series;
    }

    /** Metrics in the same registry that are closed separately. */
    public Metrics child() {
        return new Metrics(registry, series);
    }

    /** @param value called from any thread; its sources must be volatile, opaque or atomic */
    public void register(Metric metric, DoubleSupplier value, String... tags) {
        register(metric, metric.text(), metric.about(), value, tags);
        if (!metric.formerly().isEmpty()) {
            register(metric, metric.formerly(), "Former name of " + metric.text() + ".", value, tags);
        }
    }

    private void register(Metric metric, String name, String about, DoubleSupplier value, String... tags) {
        Meter meter = switch (metric.kind()) {
            case COUNTER ->
                FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
                        .description(about)
                        .tags(Tags.of(tags))
                        .register(registry);
            case GAUGE ->
                Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                        .description(about)
                        .tags(Tags.of(tags))
                        .strongReference(true)
                        .register(registry);
            case HISTOGRAM, INFO -> throw new IllegalArgumentException(metric + " is not a number");
        };
        synchronized (meters) {
            meters.add(meter);
            sources.add(value);
        }
    }

    /** @param histogram of one writer; those with the same metric and tags are shown as one */
    public void register(Metric metric, Histogram histogram, String... tags) {
        Map<String, String> named = new TreeMap<>();
        Tags.of(tags).forEach(tag -> named.put(tag.getKey(), tag.getValue()));
        add(new SeriesCollector.Source(List::of, new SeriesCollector.Counted(metric, named, histogram)));
    }

    /**
     * Registers series whose tags change with time, such as those of connected readers.
     *
     * @param series all that exist now; called from any thread at each request. Two with the same metric and tags are not allowed
     */
    public void registerSeries(Supplier<List<Point>> series) {
        add(new SeriesCollector.Source(series, null));
    }

    private void add(SeriesCollector.Source source) {
        series.add(source);
        synchronized (meters) {
            own.add(source);
        }
    }

    /** Registers the families of the JVM and of the process: memory, garbage collection, threads, CPU, open files, start time. */
    public void registerProcess() {
        JvmGcMetrics collections = new JvmGcMetrics();
        List<MeterBinder> families = List.of(
                new JvmMemoryMetrics(),
                collections,
                new JvmThreadMetrics(),
                new ClassLoaderMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics());
        families.forEach(family -> family.bindTo(registry));
        synchronized (meters) {
            binders.add(collections);
        }
    }

    /** Registers depth, bytes, passed items and time without room, of a link. */
    public void register(Link<?> link) {
        register(Metric.LINK_DEPTH, link::depth, "link", link.name());
        register(Metric.LINK_DEPTH_BYTES, link::depthBytes, "link", link.name());
        register(Metric.LINK_PASSED, link::passed, "link", link.name());
        register(Metric.LINK_NO_ROOM, () -> link.noRoomNanos() / 1e9, "link", link.name());
    }

    /** All metrics of the registry as Prometheus text. */
    public String scrape() {
        return registry.scrape();
    }

    /**
     * One metric's value now.
     *
     * @param tags such as shard or link, by name
     */
    public record Sample(String name, Map<String, String> tags, double value) {
        public Sample {
            tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        }
    }

    /**
     * A series as it is now.
     *
     * @param metric a counter, a gauge or an info
     */
    public record Point(Metric metric, Map<String, String> tags, double value) {
        public Point {
            tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        }
    }

    /** All metrics of Tributary in the registry, by name and tags, without those of JVM and process; of a histogram count and sum. Any thread. */
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>(series.samples());
        registry.forEachMeter(meter -> {
            if (!meter.getId().getName().startsWith(OWN)) {
                return;
            }
            Map<String, String> tags = new TreeMap<>();
            meter.getId().getTags().forEach(tag -> tags.put(tag.getKey(), tag.getValue()));
            for (Measurement measurement : meter.measure()) {
                samples.add(new Sample(meter.getId().getName(), tags, measurement.getValue()));
            }
        });
        samples.sort(Comparator.comparing(Sample::name)
                .thenComparing(sample -> sample.tags().toString()));
        return samples;
    }

    /** The values of a gauge that is not one of {@link #registerSeries}, by the value of a tag; any thread. */
    public Map<String, Double> byTag(Metric metric, String tag) {
        Map<String, Double> values = new TreeMap<>();
        registry.find(metric.text()).gauges().forEach(gauge -> {
            String name = gauge.getId().getTag(tag);
            if (name != null) {
                values.put(name, gauge.value());
            }
        });
        return values;
    }

    @Override
    public void close() {
        synchronized (meters) {
            meters.forEach(registry::remove);
            meters.clear();
            sources.clear();
            own.forEach(series::remove);
            own.clear();
            binders.forEach(Metrics::end);
            binders.clear();
        }
    }

    private static void end(AutoCloseable binder) {
        try {
            binder.close();
        } catch (Exception e) { // it only removes listeners of this process
            throw new IllegalStateException(e);
        }
    }
}
