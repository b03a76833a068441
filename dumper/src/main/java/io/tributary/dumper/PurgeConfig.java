package io.tributary.dumper;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.time.Duration;

/** The keys that say which binlog files go by themselves. What a reader holds stays, and with a backup what is not in it. */
public record PurgeConfig(
        @Key(
                value = "binlog.purge.age",
                byDefault = "0s",
                live = true,
                about = "Binlog files that were finished longer ago are purged; 0s for none.")
        Duration age,

        @Key(
                value = "binlog.purge.size",
                byDefault = "0B",
                live = true,
                about = "The oldest binlog files are purged while all together are larger than this; 0B for none.")
        ByteSize size,

        @Key(
                value = "binlog.purge.free",
                byDefault = "0B",
                live = true,
                about = "The oldest binlog files are purged while less than this is free on their disk; 0B for none.")
        ByteSize free) {
    /** The same, and nothing goes by age. */
    public PurgeConfig withoutAge() {
        return new PurgeConfig(Duration.ZERO, size, free);
    }

    /** Whether any file ever goes by itself. */
    public boolean isOn() {
        return !age.isZero() || size.bytes() > 0 || free.bytes() > 0;
    }
}
