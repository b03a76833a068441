package io.tributary.common.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = new Metrics();

    private double value(String name) {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private void registerOf(Count count) {
        metrics.register(Metric.WRITE_SYNCS, count::value);
        metrics.register(Metric.SERVE_READERS, count::value);
    }

    @Test
    void countersContinueAfterAGarbageCollection() {
        Count count = new Count();
        registerOf(count);
        collectGarbage();
        count.add(7);
        assertEquals(7, value("tributary.write.syncs"));
        assertEquals(7, value("tributary.serve.readers"));
        assertTrue(metrics.scrape().contains("tributary_write_syncs_total 7.0"));
    }

    private static void collectGarbage() {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        while (gone.get() != null) {
            System.gc();
        }
    }

    @Test
    void aMetricIsExposedUnderItsFormerNameToo() {
        metrics.register(Metric.EXTRACT_UNDECIDED_AGE, () -> 3, "shard", "s1");
        assertEquals(3, value("tributary.extract.undecided.seconds"));
        assertEquals(3, value("tributary.extract.hole.seconds"));
        metrics.close();
        assertEquals(List.of(), metrics.samples());
    }

    @Test
    void closingAChildRemovesOnlyItsOwnMeters() {
        metrics.register(Metric.WRITE_SYNCS, () -> 1);
        Metrics child = metrics.child();
        child.register(Metric.ROUNDS, () -> 2, "shard", "s1");
        assertEquals(
                List.of("tributary.rounds", "tributary.write.syncs"),
                metrics.samples().stream().map(Metrics.Sample::name).toList());
        child.close();
        assertEquals(
                List.of("tributary.write.syncs"),
                metrics.samples().stream().map(Metrics.Sample::name).toList());
        child.register(Metric.ROUNDS, () -> 3, "shard", "s1");
        assertEquals(3, value("tributary.rounds"));
    }

    @Test
    void histogramsOfSeveralWritersAreShownAsOne() {
        Histogram one = Histogram.ofNanos();
        Histogram other = Histogram.ofNanos();
        metrics.register(Metric.SERVE_SEND_SECONDS, one);
        Metrics child = metrics.child();
        child.register(Metric.SERVE_SEND_SECONDS, other);
        one.record(2_000_000);
        other.record(3_000_000_000L);
        other.record(-5);
        other.record(90_000_000_000L);
        String text = metrics.scrape();
        assertTrue(text.contains("# TYPE tributary_serve_send_seconds histogram"), text);
        assertTrue(text.contains("tributary_serve_send_seconds_bucket{le=\"0.001\"} 1"), text);
        assertTrue(text.contains("tributary_serve_send_seconds_bucket{le=\"0.0025\"} 2"), text);
        assertTrue(text.contains("tributary_serve_send_seconds_bucket{le=\"60.0\"} 3"), text);
        assertTrue(text.contains("tributary_serve_send_seconds_bucket{le=\"+Inf\"} 4"), text);
        assertTrue(text.contains("tributary_serve_send_seconds_count 4"), text);
        assertEquals(93.002, value("tributary.serve.send.seconds.sum"), 1e-6);
        assertEquals(4, value("tributary.serve.send.seconds.count"));
        child.close();
        assertEquals(1, value("tributary.serve.send.seconds.count"));
        metrics.close();
        assertEquals(List.of(), metrics.samples());
    }

    @Test
    void aBoundCountsInItsOwnBucket() {
        Histogram sizes = Histogram.ofBytes();
        metrics.register(Metric.WRITE_BATCH_BYTES, sizes);
        sizes.record(256);
        sizes.record(257);
        assertTrue(metrics.scrape().contains("tributary_write_batch_bytes_bucket{le=\"256.0\"} 1"));
        assertTrue(metrics.scrape().contains("tributary_write_batch_bytes_bucket{le=\"1024.0\"} 2"));
    }

    @Test
    void seriesEndWithTheirSource() {
        List<Metrics.Point> points = new ArrayList<>();
        metrics.registerSeries(() -> List.copyOf(points));
        assertFalse(metrics.scrape().contains("reader_lag"));
        points.add(new Metrics.Point(Metric.SERVE_READER_LAG_BYTES, Map.of("user", "u", "reader", "id 7"), 12));
        points.add(new Metrics.Point(Metric.BUILD, Map.of("version", "1.2.3"), 1));
        points.add(new Metrics.Point(Metric.LOG_MESSAGES, Map.of("level", "warn"), 3));
        String text = metrics.scrape();
        assertTrue(text.contains("tributary_serve_reader_lag_bytes{reader=\"id 7\",user=\"u\"} 12.0"), text);
        assertTrue(text.contains("tributary_build_info{version=\"1.2.3\"} 1"), text);
        assertTrue(text.contains("tributary_log_messages_total{level=\"warn\"} 3.0"), text);
        points.clear();
        assertFalse(metrics.scrape().contains("reader_lag"));
    }

    @Test
    void theNamesOfPrometheusAreThoseOfTheList() {
        for (Metric metric : Metric.values()) {
            switch (metric.kind()) {
                case HISTOGRAM -> metrics.register(metric, Histogram.ofNanos());
                case INFO -> metrics.registerSeries(() -> List.of(new Metrics.Point(metric, Map.of("a", "b"), 1)));
                default -> metrics.register(metric, () -> 1);
            }
        }
        String text = metrics.scrape();
        for (Metric metric : Metric.values()) {
            assertTrue(text.contains("# TYPE " + metric.prometheus() + " "), metric.prometheus());
        }
    }

    @Test
    void theFamiliesOfTheProcessAreScrapedAndNotInTheStatus() {
        metrics.registerProcess();
        String text = metrics.scrape();
        for (String name : List.of(
                "jvm_memory_used_bytes{", "jvm_threads_live_threads ", "process_cpu_usage ", "process_files_open")) {
            assertTrue(text.contains("\n" + name), name);
        }
        assertEquals(List.of(), metrics.samples());
        metrics.close();
    }
}
