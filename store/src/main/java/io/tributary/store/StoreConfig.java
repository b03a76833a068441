package io.tributary.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;

/**
 * The configuration keys of the payload store.
 *
 * @param memory the off-heap memory
 * @param spill which payload goes to disk
 * @param tokens heap at which reading stops; 0 = a third of the JVM's
 * @param directory folder of the spill; the store owns the folder {@code payload} in it
 * @param mode where payload may be stored
 */
public record StoreConfig(
        StoreMemory memory,

        SpillLimits spill,

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
        StoreMode mode) {}
