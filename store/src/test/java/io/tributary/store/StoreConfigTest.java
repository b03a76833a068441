package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.ConfigReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration keys, and the memory plan that results. */
class StoreConfigTest {
    @Test
    void hasDefaultsForEveryKey() {
        StoreConfig config = new ConfigReader(List.of(StoreConfig.class))
                .read("test", List.of(), Map.of())
                .get(StoreConfig.class);
        assertEquals(ByteSize.parse("256KiB"), config.memory().segment());
        assertEquals(StoreMode.AUTO, config.mode());
    }

    @Test
    void readsConfiguredValues() {
        StoreConfig config = new ConfigReader(List.of(StoreConfig.class))
                .read("test", List.of("store.memory=1GiB", "store.mode=disk"), Map.of())
                .get(StoreConfig.class);
        assertEquals(ByteSize.parse("1GiB"), config.memory().memory());
        assertEquals(StoreMode.DISK, config.mode());
    }

    @Test
    void keepsTheBudgetWithinTheDirectMemoryOfTheJvm() {
        long most = Runtime.getRuntime().maxMemory();
        assertEquals(1 << 20, MemoryPlan.bytes(1 << 20));
        assertTrue(MemoryPlan.bytes(0) < most);
        assertTrue(MemoryPlan.bytes(Long.MAX_VALUE / 2) < most);
    }

    @Test
    void dividesOneBudget() {
        StoreConfig config = new ConfigReader(List.of(StoreConfig.class))
                .read("test", List.of("store.memory=64MiB"), Map.of())
                .get(StoreConfig.class);
        MemoryPlan plan = MemoryPlan.of(config);
        long segments = (plan.writing() + plan.reading()) * (long) plan.segmentSize();
        assertEquals(64L << 20, segments + plan.database());
        assertEquals(16L << 20, plan.database());
        assertTrue(plan.high() < plan.writing() && plan.high() > plan.writing() / 2);
        assertTrue(plan.reading() > 1);
    }
}
