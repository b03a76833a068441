package io.tributary.common.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.List;
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
}
