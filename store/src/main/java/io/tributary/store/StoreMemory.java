package io.tributary.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;

/**
 * The configuration keys of the store's off-heap memory.
 *
 * @param memory budget of all segments and of RocksDB together; 0 = a quarter of the machine's memory
 * @param segment size of one segment
 */
public record StoreMemory(
        @Key(
                value = "store.memory",
                byDefault = "0B",
                about = "Off-heap memory for payload that waits for its order, including the write"
                        + " buffers and caches of the spill disk; 0B = a quarter of the machine's memory,"
                        + " at most five eighths of the JVM's direct memory.")
        ByteSize memory,

        @Key(
                value = "store.segment",
                byDefault = "256KiB",
                min = "64KiB",
                max = "64MiB",
                about = "Size of one segment of store.memory; a segment is written to disk and read back as a whole.")
        ByteSize segment) {
    private static final int MIN_SEGMENT = 256;

    public StoreMemory {
        if (segment.bytes() < MIN_SEGMENT || segment.bytes() > 64 << 20) {
            throw new IllegalArgumentException(
                    "store.segment: expected " + MIN_SEGMENT + " bytes to 64MiB, found " + segment);
        }
    }
}
