package io.tributary.extractor;

import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import java.nio.file.Path;

/** A payload store that never writes to disk. */
final class MemoryStore {
    private MemoryStore() {}

    static PayloadStore of(int mib, Metrics metrics) {
        ByteSize memory = new ByteSize((long) mib << 20);
        return new PayloadStore(
                new StoreConfig(
                        new StoreMemory(memory, new ByteSize(1 << 20)),
                        new SpillLimits(memory, new ByteSize(16 << 20), 90, new ByteSize(1L << 30)),
                        new ByteSize(1 << 28),
                        Path.of("unused"),
                        StoreMode.MEMORY),
                metrics);
    }
}
