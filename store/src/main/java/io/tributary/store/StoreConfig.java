package io.tributary.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;

/**
 * The configuration keys of the payload store.
 *
 * @param memory budget of all segments and of RocksDB together; 0 = a quarter of the machine's memory
 * @param segment size of one segment
 * @param spillTransaction the part of a transaction above this size goes to disk
 * @param spillEvent an event larger than this goes to disk
 * @param spillHigh percentage of {@code memory} above which payload goes to disk
 * @param diskMax bytes on disk at which reading stops
 * @param tokens heap at which reading stops; 0 = a third of the JVM's
 * @param directory folder of the spill; the store owns the folder {@code payload} in it
 * @param mode where payload may be stored
 */
public record StoreConfig(
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
        ByteSize segment,

        @Key(
                value = "store.spill.transaction",
                byDefault = "64MiB",
                about = "Payload of one transaction above this size is written to the spill disk.")
        ByteSize spillTransaction,

        @Key(
                value = "store.spill.event",
                byDefault = "16MiB",
                about = "An event larger than this is written to the spill disk.")
        ByteSize spillEvent,

        @Key(
                value = "store.spill.high",
                byDefault = "90",
                min = "1",
                max = "100",
                about = "Percentage of store.memory above which payload is written to the spill disk:"
                        + " first the payload that has waited very long, otherwise the newest.")
        int spillHigh,

        @Key(
                value = "store.disk.max",
                byDefault = "64GiB",
                min = "64MiB",
                about = "Bytes on the spill disk at which reading from the shards stops; the last eighth"
                        + " is reserved for shards that use little of it.")
        ByteSize diskMax,

        @Key(
                value = "store.tokens",
                byDefault = "0B",
                about = "Heap for transactions that wait for their order, without their payload. When it"
                        + " is used up, reading from the shards stops; the last eighth is reserved for"
                        + " shards that use little of it. 0B = a third of the JVM's heap.")
        ByteSize tokens,

        @Key(
                value = "store.directory",
                byDefault = "data/spill",
                about = "Folder of the spill disk; its folder 'payload' is deleted at every start.")
        Path directory,

        @Key(
                value = "store.mode",
                byDefault = "auto",
                about = "Where payload may be stored: auto; memory (never on disk); disk, for"
                        + " measurements and tests (each segment is written to disk when it is full;"
                        + " payload that is needed earlier is read from memory).")
        StoreMode mode) {

    static final int MIN_SEGMENT = 256;

    public StoreConfig {
        if (segment.bytes() < MIN_SEGMENT || segment.bytes() > 64 << 20) {
            throw new IllegalArgumentException(
                    "store.segment: expected " + MIN_SEGMENT + " bytes to 64MiB, found " + segment);
        }
        if (spillHigh < 1 || spillHigh > 100) {
            throw new IllegalArgumentException("store.spill.high: expected 1 to 100, found " + spillHigh);
        }
    }
}
