package io.tributary.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {
    @Test
    void theResidentMemoryOfThisProcessIsAtMostItsPeak() {
        long pid = ProcessHandle.current().pid();
        long resident = ProcessUsage.residentBytes(pid);
        long peak = ProcessUsage.of(pid).peakBytes();
        assertTrue(resident > 1 << 20, "found " + resident);
        assertTrue(resident <= peak, "found " + resident + " and a peak of " + peak);
    }

    @Test
    void theUsageSinceAnEarlierMomentIsTheDifferenceOfEachThread() {
        ProcessUsage earlier = new ProcessUsage(1, 2, 10, Map.of("reader", 1.0));
        ProcessUsage later = new ProcessUsage(4, 3, 30, Map.of("reader", 2.5, "sender", 1.0));
        assertEquals(new ProcessUsage(3, 1, 30, Map.of("reader", 1.5, "sender", 1.0)), later.since(earlier));
    }
}
