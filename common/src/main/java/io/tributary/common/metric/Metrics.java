package io.tributary.common.metric;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
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

/**
 * The metrics of one pipeline or role. Stages count in their own plain fields; this class reads them only on request.
 * Closing it removes its meters from the registry, so that a rebuilt pipeline can register its meters.
 */
public final class Metrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();
    /** The registry holds a counter's source by a weak reference only. */
    private final List<DoubleSupplier> sources = new ArrayList<>();

    /** With a new registry. */
    public Metrics() {
        this(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    }

    private Metrics(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    /** Metrics in the same registry that are closed separately. */
    public Metrics child() {
        return new Metrics(registry);
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
        };
        synchronized (meters) {
            meters.add(meter);
            sources.add(value);
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

    /** All metrics of the registry, by name and tags; any thread. */
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        registry.forEachMeter(meter -> {
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

    @Override
    public void close() {
        synchronized (meters) {
            meters.forEach(registry::remove);
            meters.clear();
            sources.clear();
        }
    }
}
