package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.seed.copy.CopyConfig;
import java.util.function.Predicate;

/**
 * How a seed works.
 *
 * @param tables whether a table of the output is seeded
 * @param workers sessions that copy at the same time, 1 or more
 * @param sessions sessions that replay at the same time, 1 or more
 * @param throttle how much of the shards it uses
 * @param sample percent of the rows that are compared with the shards at the end, 0 to 100
 */
public record SeedSettings(Predicate<TableName> tables, int workers, int sessions, Throttle throttle, int sample) {
    private static final int STATEMENT_BYTES = 1 << 20;

    /**
     * Limits of the copy.
     *
     * @param bytesPerSecond the most bytes of rows that are copied per second; 0 = no limit
     * @param mostRunning the copy pauses while a shard runs more threads than this; 0 = no limit
     */
    public record Throttle(long bytesPerSecond, int mostRunning) {}

    public SeedSettings {
        if (sample < 0 || sample > 100) {
            throw new IllegalArgumentException("expected a sample of 0 to 100 percent, found " + sample);
        }
        if (workers < 1 || sessions < 1) {
            throw new IllegalArgumentException(
                    "expected at least 1 worker and 1 session, found " + workers + " and " + sessions);
        }
    }

    /** How rows are copied; all workers may read one shard. */
    CopyConfig copy() {
        return new CopyConfig(workers, workers, throttle.bytesPerSecond(), throttle.mostRunning(), STATEMENT_BYTES);
    }
}
