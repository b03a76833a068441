package io.tributary.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;

/**
 * The keys of the payload store.
 *
 * @param memory budget of all segments and of RocksDB together; 0 = a quarter of the machine's memory
 * @param segment size of one segment
 * @param spillTransaction a transaction goes on to disk past this size
 * @param spillEvent an event larger than this goes to disk
 * @param spillHigh percentage of {@code memory} past which payload goes to disk
 * @param diskMax bytes on disk at which reading stops
 * @param tokens heap at which reading stops; 0 = a third of the JVM's
 * @param directory folder of the spill; the store owns the folder {@code payload} in it
 * @param mode where payload may lie
 */
public record StoreConfig(
        @Key(
                value = "store.memory",
                byDefault = "0B",
                about =
                        "Off-heap memory for payload that waits for its order, the spill disk's write buffers and caches"
                                + " included; 0B = a quarter of the machine's memory, at most five eighths of the JVM's"
                                + " direct memory.")
        ByteSize memory,

        @Key(
                value = "store.segment",
                byDefault = "256KiB",
                min = "64KiB",
                max = "64MiB",
                about = "Size of one segment of that memory: what goes to disk and comes back in one piece.")
        ByteSize segment,

        @Key(
                value = "store.spill.transaction",
                byDefault = "64MiB",
                about = "What a transaction holds past this size goes to the spill disk.")
        ByteSize spillTransaction,

        @Key(
                value = "store.spill.event",
                byDefault = "16MiB",
                about = "An event larger than this goes to the spill disk.")
        ByteSize spillEvent,

        @Key(
                value = "store.spill.high",
                byDefault = "90",
                min = "1",
                max = "100",
                about =
                        "Percentage of store.memory past which payload goes to the spill disk: what has waited very long, else the"
                                + " newest.")
        int spillHigh,

        @Key(
                value = "store.disk.max",
                byDefault = "64GiB",
                min = "64MiB",
                about =
                        "Bytes on the spill disk at which reading from the shards stops; the last eighth is kept for shards that"
                                + " hold little.")
        ByteSize diskMax,

        @Key(
                value = "store.tokens",
                byDefault = "0B",
                about =
                        "Heap for transactions that wait for their order, beside their payload; at it reading from the shards stops,"
                                + " the last eighth is kept for shards that hold little; 0B = a third of the JVM's heap.")
        ByteSize tokens,

        @Key(
                value = "store.directory",
                byDefault = "data/spill",
                about = "Folder of the spill disk; its folder 'payload' is wiped at every start.")
        Path directory,

        @Key(
                value = "store.mode",
                byDefault = "auto",
                about =
                        "Where payload may lie: auto, memory (never on disk) or, to measure and test, disk (each segment goes to"
                                + " disk as soon as it is full; what is read sooner comes from memory).")
        StoreMode mode) {

    static final int MIN_SEGMENT = 256;

    public StoreConfig {
        if (segment.bytes() < MIN_SEGMENT || segment.bytes() > 64 << 20) {
            throw new IllegalArgumentException("store.segment is " + MIN_SEGMENT + " bytes to 64MiB, not " + segment);
        }
        if (spillHigh < 1 || spillHigh > 100) {
            throw new IllegalArgumentException("store.spill.high is 1 to 100, not " + spillHigh);
        }
    }
}
