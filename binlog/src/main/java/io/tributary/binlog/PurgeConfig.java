package io.tributary.binlog;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.time.Duration;

/** The keys of automatic purging. Files that a reader holds are kept; with a backup, files that are not in it too. */
public record PurgeConfig(
        @Key(
                value = "binlog.purge.age",
                byDefault = "0s",
                live = true,
                about = "Binlog files that were finished longer ago than this are purged; 0s: never.")
        Duration age,

        @Key(
                value = "binlog.purge.size",
                byDefault = "0B",
                live = true,
                about = "The oldest binlog files are purged while all together are larger than this; 0B: never.")
        ByteSize size,

        @Key(
                value = "binlog.purge.free",
                byDefault = "0B",
                live = true,
                about = "The oldest binlog files are purged while less than this is free on their disk; 0B: never.")
        ByteSize free) {
    /** A copy without the purge by age. */
    public PurgeConfig withoutAge() {
        return new PurgeConfig(Duration.ZERO, size, free);
    }

    /** Whether any automatic purge is configured. */
    boolean isOn() {
        return !age.isZero() || size.bytes() > 0 || free.bytes() > 0;
    }
}
