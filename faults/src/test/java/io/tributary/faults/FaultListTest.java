package io.tributary.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.faults.kind.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultListTest {
    @Test
    void everyFaultHasAUniqueNameAndADescription() {
        List<Fault> all = FaultList.all(new FaultDurations(
                Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofMinutes(1), Duration.ofMinutes(5)));
        assertEquals(all.size(), all.stream().map(Fault::name).distinct().count());
        for (Fault fault : all) {
            assertTrue(fault.name().matches("[a-z-]+"), fault.name());
            assertTrue(fault.words().length() > 10, fault.name());
        }
    }
}
