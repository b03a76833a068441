package io.tributary.seed.change;

import io.tributary.common.gtid.Gtid;
import java.time.Instant;

/**
 * A transaction of the served binlog that changed a row, or a statement on its table.
 *
 * @param kind insert, update or delete; for a statement its first words, such as TRUNCATE TABLE
 * @param seconds its commit time on the shard, in seconds since 1970
 * @param file of the binlog
 * @param position of its first event
 */
public record KeyChange(Gtid gtid, String kind, long seconds, String file, long position) {
    /** {@code 3e11fa47-71ca-11e1-9e33-c80aa9429562:23 (update, 2026-11-20T12:00:00Z, binlog.000007:4711)}. */
    @Override
    public String toString() {
        return gtid + " (" + kind + ", " + Instant.ofEpochSecond(seconds) + ", " + file + ":" + position + ")";
    }
}
