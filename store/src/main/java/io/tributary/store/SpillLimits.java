package io.tributary.store;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;

/**
 * The configuration keys that determine which payload goes to the spill disk, and how much.
 *
 * @param transaction the part of a transaction above this size goes to disk
 * @param event an event larger than this goes to disk
 * @param high percentage of the memory above which payload goes to disk
 * @param diskMax bytes on disk at which reading stops
 */
public record SpillLimits(
        @Key(
                value = "store.spill.transaction",
                byDefault = "64MiB",
                about = "Payload of one transaction above this size is written to the spill disk.")
        ByteSize transaction,

        @Key(
                value = "store.spill.event",
                byDefault = "16MiB",
                about = "An event larger than this is written to the spill disk.")
        ByteSize event,

        @Key(
                value = "store.spill.high",
                byDefault = "90",
                min = "1",
                max = "100",
                about = "Percentage of store.memory above which payload is written to the spill disk:"
                        + " first the payload that has waited very long, otherwise the newest.")
        int high,

        @Key(
                value = "store.disk.max",
                byDefault = "64GiB",
                min = "64MiB",
                about = "Bytes on the spill disk at which reading from the shards stops; the last eighth"
                        + " is reserved for shards that use little of it.")
        ByteSize diskMax) {
    public SpillLimits {
        if (high < 1 || high > 100) {
            throw new IllegalArgumentException("store.spill.high: expected 1 to 100, found " + high);
        }
    }
}
